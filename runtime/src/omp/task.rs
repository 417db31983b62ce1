//! Tasks: pieces of work that any thread of the team may run.

use super::team::{Point, Team};
use crate::spin::SpinLock;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What tasks that name a variable in their `depend` clauses order.
#[derive(Default)]
pub(crate) struct Variable {
    /// Where those that read it end.
    readers: Point,
    /// Where those that write it end.
    writers: Point,
}

/// How a task depends on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependence {
    /// It comes after those that write.
    Reads,
    /// It comes after all others.
    Writes,
}

/// A task, explicit or the implicit one of a thread of the team.
#[derive(Default)]
pub(crate) struct Task {
    /// None for the task that the program starts with.
    team: Option<Arc<Team>>,
    parent: Option<Arc<Task>>,
    /// Where it was created, or last interrupted.
    ready: Point,
    /// Where its children end.
    children: Point,
    /// The group it was created in.
    group: Option<Arc<Point>>,
    /// The groups it has open itself.
    groups: SpinLock<Vec<Arc<Point>>>,
    /// Barriers it has been through.
    rounds: AtomicU32,
    /// What its children depend on.
    variables: SpinLock<BTreeMap<u64, Arc<Variable>>>,
    dependences: SpinLock<Vec<(Arc<Variable>, Dependence)>>,
    /// Somebody has fulfilled its event.
    fulfilled: AtomicBool,
}

impl Task {
    /// The task of a thread in `team`, or the program's first one.
    pub(crate) fn implicit(team: Option<Arc<Team>>) -> Arc<Task> {
        Arc::new(Task {
            team,
            ..Task::default()
        })
    }

    /// A task that `parent` makes now.
    pub(crate) fn explicit(parent: &Arc<Task>) -> Arc<Task> {
        let task = Arc::new(Task {
            team: parent.team.clone(),
            parent: Some(Arc::clone(parent)),
            group: parent.innermost_group(),
            ..Task::default()
        });
        task.left();
        task
    }

    /// One of several tasks that were made together, as this one.
    pub(crate) fn part(&self) -> Arc<Task> {
        Arc::new(Task {
            team: self.team.clone(),
            parent: self.parent.clone(),
            group: self.group.clone(),
            ..Task::default()
        })
    }

    fn innermost_group(&self) -> Option<Arc<Point>> {
        let groups = self.groups.lock();
        groups.last().or(self.group.as_ref()).cloned()
    }

    /// The team it belongs to.
    pub(crate) fn team(&self) -> Option<&Arc<Team>> {
        self.team.as_ref()
    }

    /// It depends on the variable at `address`.
    pub(crate) fn depends(&self, address: u64, how: Dependence) {
        let Some(parent) = &self.parent else { return };
        let variable = Arc::clone(parent.variables.lock().entry(address).or_default());
        self.dependences.lock().push((variable, how));
    }

    /// A thread begins it or goes on with it.
    pub(crate) fn runs(&self) {
        self.ready.acquire();
        for (variable, how) in self.dependences.lock().iter() {
            variable.writers.acquire();
            if *how == Dependence::Writes {
                variable.readers.acquire();
            }
        }
    }

    /// What the thread has done up to now comes before what goes on with it.
    pub(crate) fn left(&self) {
        self.ready.release();
    }

    /// It has ended, or a part of what ends it has happened.
    pub(crate) fn ends(&self) {
        for (variable, how) in self.dependences.lock().iter() {
            match how {
                Dependence::Reads => variable.readers.release(),
                Dependence::Writes => variable.writers.release(),
            }
        }
        if let Some(parent) = &self.parent {
            parent.children.release();
        }
        if let Some(group) = &self.group {
            group.release();
        }
        if let Some(team) = &self.team {
            team.tasks.release();
        }
    }

    /// Somebody fulfils its event.
    pub(super) fn fulfilled(&self) {
        self.fulfilled.store(true, Ordering::Relaxed);
        self.ends();
    }

    /// Somebody has.
    pub(super) fn is_fulfilled(&self) -> bool {
        self.fulfilled.load(Ordering::Relaxed)
    }

    /// It arrives at a barrier of its team.
    pub(crate) fn arrives(&self) {
        if let Some(team) = &self.team {
            team.arrive(self.rounds.load(Ordering::Relaxed));
        }
    }

    /// It was let through.
    pub(crate) fn leaves(&self) {
        if let Some(team) = &self.team {
            team.leave(self.rounds.fetch_add(1, Ordering::Relaxed));
        }
    }

    /// It has waited for its children.
    pub(crate) fn waited(&self) {
        self.children.acquire();
    }

    /// It opens a group.
    pub(crate) fn opens_group(&self) {
        self.groups.lock().push(Arc::default());
    }

    /// All tasks of the group it opened last have ended.
    pub(crate) fn waited_for_group(&self) {
        let group = self.groups.lock().last().cloned();
        if let Some(group) = group {
            group.acquire();
        }
    }

    /// It leaves the group it opened last.
    pub(crate) fn closes_group(&self) {
        let group = self.groups.lock().pop();
        if let Some(group) = group {
            group.acquire();
        }
    }
}
