//! Constraint strings and templates of inline assembly.

#[path = "../src/asm_constraints.rs"]
mod asm_constraints;

use asm_constraints::{
    Move, Named, Operand, as_move, is_atomic_template, is_client_request, locked, parse, width,
};

#[test]
fn operands_are_told_apart() {
    use Operand::{Clobber, Input, Label, Memory, Output};
    assert_eq!(
        parse("=r,=*m,+*m,*m,r,0,=&*rm,!i,~{memory},~{dirflag}"),
        [
            Output,
            Memory { write: true },
            Memory { write: true },
            Memory { write: false },
            Input,
            Input,
            Memory { write: true },
            Label,
            Clobber,
            Clobber
        ]
    );
    assert_eq!(parse(""), []);
    let arguments = parse("=r,=*m,r,~{cc}")
        .into_iter()
        .filter(|o| o.takes_argument())
        .count();
    assert_eq!(arguments, 2);
}

#[test]
fn locked_templates_are_atomic() {
    for template in [
        "lock xaddl $0, $1",
        "lock; incl $0",
        "nop\n\tLOCK cmpxchgq $1, $0",
        "xchgb $0, $1",
        "1: xchg $0, $1",
    ] {
        assert!(is_atomic_template(template), "{template}");
    }
    for template in [
        "",
        "incl $0",
        "movl lock_word, $0",
        "cmpxchg $1, $0",
        "call unlock",
    ] {
        assert!(!is_atomic_template(template), "{template}");
    }
}

#[test]
fn single_moves_between_registers_and_memory() {
    let (load, store) = ("=r,*m,~{memory},~{flags}", "=*m,ri,~{memory}");
    use Named::{Constant, Operand, Through};
    let loads = |from| Some(Move::Load(from));
    let stores = |to, value| Some(Move::Store(to, value));
    assert_eq!(as_move("movl $1, $0", load), loads(Operand(1)));
    assert_eq!(as_move("\tmovq $1,$0;", load), loads(Operand(1)));
    assert_eq!(
        as_move("movl (${1:q}), $0", "=r,r,~{memory}"),
        loads(Through(1))
    );
    assert_eq!(
        as_move("movb $1, $0", store),
        stores(Operand(0), Operand(1))
    );
    assert_eq!(
        as_move("movb ${1:b}, $0", store),
        stores(Operand(0), Operand(1))
    );
    for (template, constraints, to, value) in [
        ("movl $$1,$0", "=*m,~{memory}", Operand(0), Constant(1)),
        ("movb $$0, $0", "=*m,*m,~{memory}", Operand(0), Constant(0)),
        (
            "movl $$-0x10, $0",
            "=*m,~{memory}",
            Operand(0),
            Constant(-16),
        ),
        ("movl $0, $1", "r,*m,~{memory}", Operand(1), Operand(0)),
        ("movl $1, $0", "=*m,r,*m,~{memory}", Operand(0), Operand(1)),
        ("movl $1, 0($0)", "r,r,~{memory}", Through(0), Operand(1)),
        ("movq $$7, ($0)", "r,~{memory}", Through(0), Constant(7)),
    ] {
        assert_eq!(
            as_move(template, constraints),
            stores(to, value),
            "{template}"
        );
    }
    for template in [
        "movl $0, $1",
        "movl 4$1, $0",
        "movl 4($1), $0",
        "movl $$1, $0",
        "movl $$010, $1",
        "movntl $1, $0",
        "mov $1, $0; incl $0",
        "",
    ] {
        assert_eq!(as_move(template, load), None, "{template}");
    }
    for constraints in [
        "=r,*m,~{flags}",
        "=r,r,~{memory}",
        "=*m,*m,~{memory}",
        "=r,=r,*m,~{memory}",
        "+*m,~{memory}",
    ] {
        assert_eq!(as_move("movl $1, $0", constraints), None, "{constraints}");
    }
}

#[test]
fn what_locked_instructions_name() {
    use Named::{Constant, Operand, Through};
    for (template, names) in [
        ("lock; cmpxchgl $1,$2", vec![Operand(1), Operand(2)]),
        ("xchgl ${0:k}, $1", vec![Operand(0), Operand(1)]),
        (
            "lock\n\txaddq $0, ($1); sete $2",
            vec![Operand(0), Through(1)],
        ),
        ("1: lock decl $0\n jns 2f\n cmpl $$0, $3", vec![Operand(0)]),
        ("lock orl $$0, (%rsp)", vec![Constant(0)]),
        ("movl $1, $0; incl $0", vec![]),
    ] {
        assert_eq!(locked(template), names, "{template}");
    }
}

#[test]
fn widths_are_in_the_names_of_instructions() {
    for (template, bytes) in [
        ("movq $1, $0", 8),
        ("xchgb $0, $1", 1),
        ("lock xaddw $0, $1", 2),
        ("lock; incl $0", 4),
        ("LOCK subq $1, $0; setz $2", 8),
        ("movq %rax, %rbx; lock cmpxchg16b $2;", 16),
        ("lock cmpxchg8b $0", 8),
    ] {
        assert_eq!(width(template), Some(bytes), "{template}");
    }
    for template in [
        "",
        "mov $1, $0",
        "xadd $0, $1",
        "lock sub $1, $0",
        "lock btsq $1, $0",
        "movl $1, $2; movq $2, $0",
        "movsbl $1, $0",
        "lock",
    ] {
        assert_eq!(width(template), None, "{template}");
    }
}

#[test]
fn requests_to_valgrind_are_recognised() {
    let request = "rolq $$3,  %rdi ; rolq $$13, %rdi\n\t\
                   rolq $$61, %rdi ; rolq $$51, %rdi\n\txchgq %rbx,%rbx";
    assert!(is_client_request(request));
    assert!(!is_client_request("rolq $$3, %rdi"));
    assert!(!is_client_request(""));
}
