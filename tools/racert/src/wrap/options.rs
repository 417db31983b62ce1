//! The options of clang's driver that decide what an invocation is.

/// A set of words, written as text so that a table stays readable.
pub(crate) struct Words(&'static str);

impl Words {
    /// Whether `word` is in the set.
    pub(crate) fn contain(&self, word: &str) -> bool {
        self.0.split_ascii_whitespace().any(|w| w == word)
    }
}

/// Options whose value is the next argument.
pub(crate) const SEPARATE: Words = Words(
    "-o --output -x --language -l -L --library-directory
     -D --define-macro -U --undefine-macro -A --assert
     -I --include-directory -isystem -idirafter -iquote -include --include -imacros --imacros
     -include-pch -iprefix -iwithprefix -iwithprefixbefore -isystem-after -isysroot -iframework
     -ivfsoverlay -F -framework
     -MF -MT -MQ -MJ
     -Xclang -Xlinker --for-linker -Xassembler --for-assembler -Xpreprocessor -Xanalyzer
     -Xopenmp-target -Xoffload-linker -Xthinlto -Xracert -mllvm --param
     -target --target -arch -B --prefix --sysroot -resource-dir --config -gcc-toolchain
     -T -u -e -z -rpath -G
     -aux-info -index-store-path -serialize-diagnostics --serialize-diagnostics
     -dumpbase -dumpbase-ext -dumpdir -wrapper -working-directory -mthread-model",
);

/// Options that make clang print something and stop, or that are clang's own.
pub(crate) const QUERIES: Words = Words(
    "--version -dumpversion -dumpmachine -dumpspecs --help -help --help-hidden
     -cc1 -cc1as -cc1gen-reproducer",
);

/// Options that stop clang before code generation.
pub(crate) const FRONTEND_ONLY: Words = Words(
    "-E --preprocess -M --dependencies -MM --user-dependencies -fsyntax-only --analyze
     --precompile -emit-ast -emit-pch -extract-api -rewrite-objc -verify-pch -module-file-info
     -emit-interface-stubs",
);

/// Options by which the user says how much debug information there shall be.
pub(crate) const DEBUG_LEVELS: Words = Words(
    "-g --debug -g0 -g1 -g2 -g3 -gline-tables-only -gline-directives-only -gmlt -gfull -gused
     -gmodules -gcodeview -gsce -gdbx -glldb",
);

/// File name extensions of what goes through the compiler.
pub(crate) const SOURCE_EXTENSIONS: Words = Words(
    "c i ii cc cp cxx cpp CPP c++ C CC CXX cppm ccm cxxm c++m ixx iim m mi mm M mii s S sx asm
     ll bc cl cu cui hip",
);

/// File name extensions of what becomes a precompiled header.
pub(crate) const HEADER_EXTENSIONS: Words = Words("h hh hp hpp hxx h++ H HPP tcc");
