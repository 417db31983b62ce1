//! The corpus obeys its own rules.

use std::collections::BTreeSet;

use racert_tests::matrix::{self, Extent, Language};
use racert_tests::scenarios_dir;

#[test]
fn every_scenario_has_its_twin() {
    let scenarios = matrix::load(&scenarios_dir()).unwrap();
    let names: BTreeSet<&str> = scenarios
        .iter()
        .map(|scenario| &scenario.name[..])
        .collect();
    for name in &names {
        let twin = match name.strip_suffix("_norace") {
            Some(stem) => format!("{stem}_race"),
            None => format!("{}_norace", name.trim_end_matches("_race")),
        };
        assert!(names.contains(&twin[..]), "{name} has no twin {twin}");
    }
}

#[test]
fn names_and_expectations_agree() {
    for scenario in matrix::load(&scenarios_dir()).unwrap() {
        let quiet = scenario.name.ends_with("_norace");
        let header = &scenario.header;
        let nothing = header.expect.is_empty() && header.advice.is_empty();
        assert_eq!(nothing, quiet, "{}", scenario.name);
        assert!(
            !quiet || scenario.header.markers.is_empty(),
            "{}: markers",
            scenario.name
        );
    }
}

#[test]
fn a_race_says_where_or_admits_to_several_reports() {
    for scenario in matrix::load(&scenarios_dir()).unwrap() {
        let header = &scenario.header;
        let exempt = header.expect.is_empty() || header.stderr_closed || header.reports.is_none();
        let says = !header.markers.is_empty() || !header.names.is_empty();
        assert!(
            exempt || says,
            "{} names neither lines nor words",
            scenario.name
        );
    }
}

#[test]
fn the_daily_extent_leaves_no_language_or_order_out_and_no_level_of_c() {
    for scenario in matrix::load(&scenarios_dir()).unwrap() {
        let name = scenario.name.clone();
        let all = matrix::cases(scenario);
        let daily = || all.iter().filter(|case| Extent::Daily.includes(case));
        let levels = daily().map(|d| &d.opt).collect::<BTreeSet<_>>().len();
        for case in &all {
            let is_met = daily().any(|d| d.opt == case.opt);
            let is_cxx = all.iter().all(|case| case.language == Language::Cxx);
            assert!(is_met || (is_cxx && levels == 2), "{name} {}", case.opt);
            assert!(daily().any(|d| d.order == case.order), "{name}");
            assert!(daily().any(|d| d.language == case.language), "{name}");
        }
    }
}

#[test]
fn case_names_are_unique() {
    let mut seen = BTreeSet::new();
    let cases = matrix::load(&scenarios_dir())
        .unwrap()
        .into_iter()
        .flat_map(matrix::cases);
    for case in cases {
        assert!(seen.insert(case.name()), "{} twice", case.name());
    }
}
