//! Functions with any number of arguments.
//!
//! Rust cannot define them, so their stubs put the argument registers where a
//! `va_list` finds them and pass such a list on, in the place of the arguments
//! that have no name. What follows is the x86-64 ABI's.

/// Bytes of the registers' copy: six general ones, then eight vector ones.
const GENERAL: u32 = 48;
const REGISTERS: u32 = 176;

/// `va_list`'s only element.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct List {
    /// Where in the copy the next general register is.
    general: u32,
    /// Where in the copy the next vector register is.
    vector: u32,
    /// The next argument that is on the stack.
    stack: *mut u8,
    /// The copy.
    registers: *mut u8,
}

const _: () = assert!(size_of::<List>() == 24);

impl List {
    fn on_stack(&mut self, size: usize, alignment: usize) -> *const u8 {
        let at = self.stack.map_addr(|a| a.next_multiple_of(alignment));
        self.stack = at.wrapping_add(size.next_multiple_of(8));
        at
    }

    /// The next argument that is an integer or a pointer.
    ///
    /// # Safety
    /// There must be one.
    pub(super) unsafe fn general(&mut self) -> usize {
        let at = if self.general < GENERAL {
            let at = self.registers.wrapping_add(self.general as usize);
            self.general += 8;
            at.cast_const()
        } else {
            self.on_stack(8, 8)
        };
        // SAFETY: passed on.
        unsafe { at.cast::<usize>().read() }
    }

    /// Steps over an argument that is a `double`.
    pub(super) fn skip_double(&mut self) {
        if self.vector < REGISTERS {
            self.vector += 16;
        } else {
            self.on_stack(8, 8);
        }
    }

    /// Steps over an argument that is a `long double`.
    pub(super) fn skip_long_double(&mut self) {
        self.on_stack(16, 16);
    }
}

/// Defines stubs: `variadic! { "printf" (1, "rsi") => printf; ... }`, with the
/// number of named arguments and the register of the one behind them.
macro_rules! variadic {
    ($($name:literal ($named:literal, $register:literal) => $implementation:path;)+) => {
        $(
            #[cfg(not(test))]
            core::arch::global_asm!(
                ".pushsection racert_stubs,\"ax\",@progbits",
                ".p2align 4",
                concat!(".weak ", $name),
                concat!(".type ", $name, ", @function"),
                concat!(".globl __racert_own_", $name),
                concat!(".hidden __racert_own_", $name),
                concat!($name, ":"),
                concat!("__racert_own_", $name, ":"),
                ".cfi_startproc",
                "mov r11, qword ptr [rip + __racert_tls@gottpoff]",
                "mov r10, qword ptr [rsp]",
                "mov qword ptr fs:[r11 + {caller}], r10",
                "sub rsp, 216",
                ".cfi_adjust_cfa_offset 216",
                "mov qword ptr [rsp], rdi",
                "mov qword ptr [rsp + 8], rsi",
                "mov qword ptr [rsp + 16], rdx",
                "mov qword ptr [rsp + 24], rcx",
                "mov qword ptr [rsp + 32], r8",
                "mov qword ptr [rsp + 40], r9",
                "test al, al",
                "je 2f",
                "movaps xmmword ptr [rsp + 48], xmm0",
                "movaps xmmword ptr [rsp + 64], xmm1",
                "movaps xmmword ptr [rsp + 80], xmm2",
                "movaps xmmword ptr [rsp + 96], xmm3",
                "movaps xmmword ptr [rsp + 112], xmm4",
                "movaps xmmword ptr [rsp + 128], xmm5",
                "movaps xmmword ptr [rsp + 144], xmm6",
                "movaps xmmword ptr [rsp + 160], xmm7",
                "2:",
                "mov dword ptr [rsp + 176], 8 * {named}",
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rsp + 224]",
                "mov qword ptr [rsp + 184], rax",
                "mov qword ptr [rsp + 192], rsp",
                concat!("lea ", $register, ", [rsp + 176]"),
                "call {implementation}",
                "add rsp, 216",
                ".cfi_adjust_cfa_offset -216",
                "ret",
                ".cfi_endproc",
                concat!(".size ", $name, ", . - ", $name),
                ".popsection",
                caller = const racert_abi::tls::CALLER,
                named = const $named,
                implementation = sym $implementation,
            );
        )+
        #[cfg(test)]
        const VARIADIC: &[(&str, *const ())] =
            &[$(($name, $implementation as *const ())),+];
    };
}
pub(super) use variadic;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_from_registers_and_then_from_the_stack() {
        let mut registers = [0usize; 22];
        (registers[4], registers[5]) = (10, 11);
        let mut stack = [12usize, 13, 0, 0, 14];
        let mut list = List {
            general: 32,
            vector: 160,
            stack: stack.as_mut_ptr().cast(),
            registers: registers.as_mut_ptr().cast(),
        };
        // SAFETY: as many arguments as there are.
        unsafe {
            assert_eq!(
                (list.general(), list.general(), list.general()),
                (10, 11, 12)
            );
            list.skip_double();
            assert_eq!(list.general(), 13);
        }
    }
}
