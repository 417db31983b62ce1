/* A spin lock in assembly, as libraries for old compilers have it. No compiler
   sees it, so nobody can put checks into it. */
    .text
    .globl spin_acquire
    .type spin_acquire, @function
spin_acquire:
    movl $1, %eax
    xchgl %eax, (%rdi)
    testl %eax, %eax
    je 2f
1:  pause
    cmpl $0, (%rdi)
    jne 1b
    jmp spin_acquire
2:  ret
    .size spin_acquire, . - spin_acquire

    .globl spin_release
    .type spin_release, @function
spin_release:
    movl $0, (%rdi)
    ret
    .size spin_release, . - spin_release
    .section .note.GNU-stack,"",@progbits
