//! The programs, one recipe each.

use super::recipe::Recipe;

/// Every program, in the order of the table.
pub(crate) const RECIPES: &[Recipe] = &[
    PBZIP2, ZSTD, XZ, X264, SEVEN_ZIP, MEMCACHED, SQLITE, LEVELDB, ONETBB,
];

const PBZIP2: Recipe = Recipe {
    name: "pbzip2",
    about: "pbzip2 with bzip2 compresses 8 MB on two threads",
    sources: &["pbzip2", "bzip2"],
    needs: &[],
    build: r#"
make -C bzip2 CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" libbz2.a
cd pbzip2
$CXX $CXXFLAGS -std=gnu++98 -w -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 \
  -DUSE_STACKSIZE_CUSTOMIZATION -D_POSIX_PTHREAD_SEMANTICS -pthread -I../bzip2 \
  pbzip2.cpp BZ2StreamScanner.cpp ErrorContext.cpp ../bzip2/libbz2.a -o pbzip2
"#,
    run: "$TOOL pbzip2/pbzip2 -q -p2 -1 -k -c $INPUT/text > out.bz2; md5sum < out.bz2",
    beside: None,
};

const ZSTD: Recipe = Recipe {
    name: "zstd",
    about: "zstd compresses 8 MB at level 9 on two threads",
    sources: &["libzstd"],
    needs: &[],
    build: r#"
make -C libzstd/programs -j2 zstd-release CC="$CC" CFLAGS="$CFLAGS" ZSTD_NO_ASM=1 \
  HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0
"#,
    run: "$TOOL libzstd/programs/zstd -q -f -9 -T2 -B1MiB $INPUT/text -o out.zst; md5sum < out.zst",
    beside: None,
};

const XZ: Recipe = Recipe {
    name: "xz",
    about: "xz compresses 8 MB at level 1 on two threads",
    sources: &["xz-utils"],
    needs: &[],
    build: r#"
cd xz-utils
./configure --disable-shared --disable-nls --disable-doc --disable-scripts --disable-assembler
make -j2
"#,
    run: "$TOOL xz-utils/src/xz/xz -q -T2 -1 --block-size=1MiB -c $INPUT/text > out.xz; md5sum < out.xz",
    beside: None,
};

const X264: Recipe = Recipe {
    name: "x264",
    about: "x264 without assembly encodes 60 small frames on two threads",
    sources: &["x264"],
    needs: &[],
    build: r#"
cd x264
./configure --disable-asm --disable-opencl --disable-avs --disable-swscale --disable-lavf \
  --disable-ffms --disable-gpac --disable-lsmash --bit-depth=8 --extra-cflags="$CFLAGS"
make -j2 x264
"#,
    run: "$TOOL x264/x264 --quiet --no-progress --threads 2 --preset veryfast --demuxer raw \
          --input-res 320x240 --fps 25 -o out.264 $INPUT/video; md5sum < out.264",
    beside: None,
};

const SEVEN_ZIP: Recipe = Recipe {
    name: "7zip",
    about: "7zip compresses 8 MB with LZMA2 on two threads",
    sources: &["7zip"],
    needs: &[],
    build: r#"
cd 7zip/CPP/7zip/Bundles/Alone2
make -j2 -f makefile.gcc CC="$CC $CFLAGS -w" CXX="$CXX $CXXFLAGS -w" \
  CFLAGS_WARN_WALL=-w LFLAGS_STRIP= DISABLE_RAR=1
"#,
    run: "rm -f out.7z; $TOOL 7zip/CPP/7zip/Bundles/Alone2/_o/7zz a -bd -bso0 -mx=3 -mmt=2 -mtm=off -mtr=off out.7z $INPUT/text; \
          md5sum < out.7z",
    beside: None,
};

const MEMCACHED: Recipe = Recipe {
    name: "memcached",
    about: "memcached with libevent answers 120,000 requests on two threads",
    sources: &["memcached", "libevent"],
    needs: &[],
    build: r#"
(cd libevent && ./configure --disable-shared --disable-openssl --disable-samples \
  --disable-libevent-regress --prefix="$PWD/../installed" && make -j2 install)
cd memcached
./configure --disable-docs --disable-coverage --with-libevent="$PWD/../installed"
make -j2 memcached CFLAGS="$CFLAGS -pthread -w"
"#,
    run: "rm -f socket; exec $TOOL memcached/memcached -A -u root -t 2 -m 64 -P \"$PWD/pid\" -s \"$PWD/socket\"",
    beside: Some("$INPUT/memcached_client \"$PWD/socket\" || { kill \"$(cat pid)\"; exit 1; }"),
};

const SQLITE: Recipe = Recipe {
    name: "sqlite",
    about: "sqlite fills, searches, joins and changes two databases at once",
    sources: &["sqlite3"],
    needs: &["tclsh"],
    build: r#"
cd sqlite3
./configure --disable-tcl
make sqlite3.c
$CC $CFLAGS -DSQLITE_THREADSAFE=1 -I. sqlite3.c "$HERE/sqlite_load.c" -pthread -ldl -lm -o ../load
"#,
    run: "exec $TOOL ./load",
    beside: None,
};

const LEVELDB: Recipe = Recipe {
    name: "leveldb",
    about: "leveldb writes and reads 120,000 pairs from two threads",
    sources: &["leveldb"],
    needs: &[],
    build: r#"
cd leveldb
units=$(ls db/*.cc table/*.cc util/*.cc |
  grep -v -e _test.cc -e windows -e testutil -e leveldbutil -e dumpfile)
$CXX $CXXFLAGS -std=c++14 -DLEVELDB_PLATFORM_POSIX=1 -DLEVELDB_IS_BIG_ENDIAN=0 \
  -DHAVE_FDATASYNC=1 -DHAVE_O_CLOEXEC=1 -I. -Iinclude $units "$HERE/leveldb_load.cpp" \
  -pthread -o ../load
"#,
    run: "exec $TOOL ./load",
    beside: None,
};

const ONETBB: Recipe = Recipe {
    name: "onetbb",
    about: "oneTBB loops, reduces, sorts, counts and pipes on two threads",
    sources: &["onetbb"],
    needs: &[],
    build: r#"
cd onetbb
$CXX $CXXFLAGS -std=c++17 -w -D__TBB_BUILD -D__TBB_DYNAMIC_LOAD_ENABLED=0 -mrtm -mwaitpkg \
  -Iinclude src/tbb/*.cpp "$HERE/onetbb_load.cpp" -pthread -ldl -o ../load
"#,
    run: "exec $TOOL ./load",
    beside: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_distinct_and_every_recipe_says_what_it_builds() {
        let names: BTreeSet<&str> = RECIPES.iter().map(|recipe| recipe.name).collect();
        assert_eq!(names.len(), RECIPES.len());
        for recipe in RECIPES {
            assert!(!recipe.sources.is_empty(), "{}", recipe.name);
            assert!(
                recipe.run.contains("$TOOL"),
                "{} ignores valgrind",
                recipe.name
            );
        }
    }
}
