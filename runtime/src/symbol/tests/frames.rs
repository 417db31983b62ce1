//! Local variables of real functions, whose program says where they are.

use super::fixture::{Folder, compilers, open, start};
use crate::symbol::Bytes;

/// Prints how far below the end of its frame a local is, and where in `main`
/// the code is that does so.
const SOURCE: &str = "\
#include <stdio.h>
struct point { int x, y; };
static void use(void *p) { __asm__ volatile(\"\" : : \"r\"(p) : \"memory\"); }
__attribute__((noinline)) static unsigned long here(void) {
  return (unsigned long)__builtin_return_address(0);
}
int main(int count, char **words) {
  struct point corners[3] = {{count, 1}};
  long other = count;
  use(&other);
  use(corners);
  char *end = __builtin_dwarf_cfa();
  long below = end - (char *)&corners[2].y;
  printf(\"%ld %lu\\n\", below, here() - (unsigned long)&main);
  use(words);
  use(corners);
  use(&other);
}
";

#[test]
fn locals() {
    for compiler in compilers() {
        for flags in ["-g -O0", "-g -O2", "-g -O1 -fno-omit-frame-pointer"] {
            let folder = Folder::new(&format!("frames-{compiler}{}", flags.replace(' ', "")));
            folder.write("a.c", SOURCE);
            folder.run(compiler, &format!("{flags} a.c -o program"));
            let text = folder.run(&folder.path("program"), "");
            let (below, inside) = text.trim().split_once(' ').unwrap();
            let entry = start(&folder, "program", "main");
            let frame = 0x7fff_0000;
            let bytes = Bytes {
                address: frame - below.parse::<u64>().unwrap(),
                size: 4,
            };
            let code = entry + inside.parse::<u64>().unwrap() - 1;
            let image = open(&folder, "program");
            let local = image.local(bytes, frame, code, Some(entry));
            let local = local.unwrap_or_else(|| panic!("{compiler} {flags}: {text}"));
            assert_eq!(
                local.full_name(),
                "main::corners[2].y",
                "{compiler} {flags}"
            );
            assert_eq!(local.part.unwrap().type_name, "int");
            assert_eq!(local.size, 24);
            assert_eq!(image.local(bytes, frame, code, Some(entry - 1)), None);
        }
    }
}
