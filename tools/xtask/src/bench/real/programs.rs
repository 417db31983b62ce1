//! The programs, one recipe each.

use super::recipe::Recipe;

/// Every program, in the order of the table.
pub(crate) const RECIPES: &[Recipe] = &[
    PBZIP2, ZSTD, XZ, X264, SEVEN_ZIP, MEMCACHED, REDIS, NGINX, SQLITE, LEVELDB, ONETBB, GLIB, QT,
    LIBUV, LMDB, MIMALLOC, ABSEIL, NNG, ZEROMQ,
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
    tests: None,
};

const ZSTD: Recipe = Recipe {
    name: "zstd",
    about: "zstd compresses 8 MB at level 9 on two threads",
    sources: &["libzstd"],
    needs: &[],
    build: r#"
make -C libzstd/programs -j$JOBS zstd-release CC="$CC" CFLAGS="$CFLAGS" ZSTD_NO_ASM=1 \
  HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0
"#,
    run: "$TOOL libzstd/programs/zstd -q -f -9 -T2 -B1MiB $INPUT/text -o out.zst; md5sum < out.zst",
    beside: None,
    tests: None,
};

const XZ: Recipe = Recipe {
    name: "xz",
    about: "xz compresses 8 MB at level 1 on two threads",
    sources: &["xz-utils"],
    needs: &[],
    build: r#"
cd xz-utils
./configure --disable-shared --disable-nls --disable-doc --disable-scripts --disable-assembler
make -j$JOBS
"#,
    run: "$TOOL xz-utils/src/xz/xz -q -T2 -1 --block-size=1MiB -c $INPUT/text > out.xz; md5sum < out.xz",
    beside: None,
    tests: Some(
        r#"
make -C xz-utils -j$JOBS check
xz-utils/src/xz/xz -q -T3 -2 --block-size=500KiB -c $INPUT/text > out.xz
xz-utils/src/xz/xz -q -T3 -d -c out.xz | cmp - $INPUT/text
"#,
    ),
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
make -j$JOBS x264
"#,
    run: "$TOOL x264/x264 --quiet --no-progress --threads 2 --preset veryfast --demuxer raw \
          --input-res 320x240 --fps 25 -o out.264 $INPUT/video; md5sum < out.264",
    beside: None,
    tests: None,
};

const SEVEN_ZIP: Recipe = Recipe {
    name: "7zip",
    about: "7zip compresses 8 MB with LZMA2 on two threads",
    sources: &["7zip"],
    needs: &[],
    build: r#"
cd 7zip/CPP/7zip/Bundles/Alone2
make -j$JOBS -f makefile.gcc CC="$CC $CFLAGS -w" CXX="$CXX $CXXFLAGS -w" \
  CFLAGS_WARN_WALL=-w LFLAGS_STRIP= DISABLE_RAR=1
"#,
    run: "rm -f out.7z; $TOOL 7zip/CPP/7zip/Bundles/Alone2/_o/7zz a -bd -bso0 -mx=3 -mmt=2 -mtm=off -mtr=off out.7z $INPUT/text; \
          md5sum < out.7z",
    beside: None,
    tests: Some(
        r#"
zip=7zip/CPP/7zip/Bundles/Alone2/_o/7zz
rm -f out.* part
head -c 1000000 $INPUT/text > part
for how in "1.7z -m0=lzma" "2.7z -m0=lzma2:c=256k" "3.7z -m0=ppmd" 4.zip 5.xz 6.bz2; do
  $zip a -bd -bso0 -mx=5 -mmt=4 out.$how part
  $zip t -bd -bso0 -mmt=4 out.${how%% *}
done
"#,
    ),
};

const MEMCACHED: Recipe = Recipe {
    name: "memcached",
    about: "memcached with libevent answers 120,000 requests on two threads",
    sources: &["memcached", "libevent"],
    needs: &[],
    build: r#"
(cd libevent && ./configure --disable-shared --disable-openssl --disable-samples \
  --disable-libevent-regress --prefix="$PWD/../installed" && make -j$JOBS install)
cd memcached
./configure --disable-docs --disable-coverage --with-libevent="$PWD/../installed"
make -j$JOBS memcached CFLAGS="$CFLAGS -pthread -w"
"#,
    run: "rm -f socket; exec $TOOL memcached/memcached -A -u root -t 2 -m 64 -P \"$PWD/pid\" -s \"$PWD/socket\"",
    beside: Some("$INPUT/memcached_client \"$PWD/socket\" || { kill \"$(cat pid)\"; exit 1; }"),
    tests: Some(
        r#"
cd memcached
make -j$JOBS memcached-debug sizes testapp timedrun CFLAGS="$CFLAGS -pthread -w"
./testapp
prove t/getset.t t/incrdecr.t t/evictions.t t/lru-maintainer.t t/slabs-reassign2.t t/maxconns.t t/watcher.t t/unixsocket.t
"#,
    ),
};

const REDIS: Recipe = Recipe {
    name: "redis",
    about: "redis with jemalloc and four I/O threads answers, saves and rewrites its log",
    sources: &["redis"],
    needs: &[],
    build: r#"
make -C redis -j$JOBS CC="$CC" CXX="$CXX" OPT=-O2
"#,
    run: r#"
rm -rf data socket; mkdir data
exec $TOOL redis/src/redis-server --save '' --port 0 --unixsocket "$PWD/socket" --dir "$PWD/data" \
  --io-threads 4 --io-threads-do-reads yes --appendonly yes --lazyfree-lazy-user-del yes > data/output
"#,
    beside: Some(
        r#"
until [ -S socket ]; do sleep 0.2; done
redis/src/redis-benchmark -s "$PWD/socket" -c 20 -n 5000 -P 8 -q -t set,get,incr,lpush,lpop,sadd,hset,zadd,mset
redis/src/redis-benchmark -s "$PWD/socket" -c 10 -n 2000 -q --threads 3 -t set,get
for command in BGSAVE BGREWRITEAOF 'FLUSHALL ASYNC' 'MEMORY STATS' 'SHUTDOWN NOSAVE'; do
  redis/src/redis-cli -s "$PWD/socket" $command; sleep 1
done
"#,
    ),
    tests: None,
};

const NGINX: Recipe = Recipe {
    name: "nginx",
    about: "nginx with two workers reads files on threads and sends them, directly and as a proxy",
    sources: &["nginx"],
    needs: &["curl"],
    build: r#"
cd nginx
./configure --with-cc="$CC" --with-cc-opt="$CFLAGS" --with-threads --with-file-aio \
  --without-http_rewrite_module --without-http_gzip_module --prefix="$PWD/../installed"
make -j$JOBS
make install
"#,
    run: r#"
cp $INPUT/video installed/html/large
sed "s|PLACE|$PWD/installed|" $HERE/nginx.conf > installed/conf/nginx.conf
rm -f installed/socket
exec $TOOL installed/sbin/nginx
"#,
    beside: Some(
        r#"
until [ -S installed/socket ]; do sleep 0.2; done
for round in 1 2 3 4 5 6 7 8; do
  for path in large direct/large proxy/large index.html; do echo "$path"; done
done | xargs -P 6 -I PATH curl -sSf --unix-socket installed/socket http://localhost/PATH | wc -c
kill -QUIT "$(cat installed/logs/nginx.pid)"
"#,
    ),
    tests: None,
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
$CC $CFLAGS -DSQLITE_THREADSAFE=1 -c sqlite3.c
$CC $CFLAGS -I. sqlite3.o "$HERE/sqlite_load.c" -pthread -ldl -lm -o ../load
"#,
    run: "exec $TOOL ./load",
    beside: None,
    tests: Some(
        r#"
cd sqlite3
$CC $CFLAGS -I. -Isrc sqlite3.o test/threadtest3.c src/test_multiplex.c -pthread -ldl -lm -o threadtest3
for test in walthread1 walthread2 walthread3 walthread4 walthread5 cgt_pager_1 dynamic_triggers \
  checkpoint_starvation_1 checkpoint_starvation_2 create_drop_index_1 lookaside1 vacuum1 stress1 stress2; do
  ./threadtest3 $test
done
"#,
    ),
};

const LEVELDB: Recipe = Recipe {
    name: "leveldb",
    about: "leveldb writes and reads 120,000 pairs from two threads",
    sources: &["leveldb", "googletest", "benchmark"],
    needs: &["cmake"],
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
    tests: Some(
        r#"
rm -rf leveldb/third_party/googletest leveldb/third_party/benchmark tests
ln -s "$PWD/googletest" leveldb/third_party/googletest
ln -s "$PWD/benchmark" leveldb/third_party/benchmark
cmake -S leveldb -B tests -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -Wno-c2y-extensions" \
  -DLEVELDB_BUILD_BENCHMARKS=OFF -DLEVELDB_INSTALL=OFF -DHAVE_TCMALLOC=OFF
tests="c_test env_test env_posix_test cache_test skiplist_test autocompact_test fault_injection_test db_test"
cmake --build tests -j $JOBS --target $tests
cd tests
for test in $tests; do GTEST_FILTER=-DBTest.HiddenValuesAreRemoved ./$test; done
"#,
    ),
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
    tests: Some(
        r#"
tests="test_mutex test_task_group test_parallel_reduce test_concurrent_queue test_concurrent_hash_map test_enumerable_thread_specific"
cmake -S onetbb -B tests -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DTBB_STRICT=OFF \
  -DTBB_DISABLE_HWLOC_AUTOMATIC_SEARCH=ON
for test in $tests; do cmake --build tests -j $JOBS --target $test; done
cd tests/*_release
for test in $tests; do ./$test; done
"#,
    ),
};

const GLIB: Recipe = Recipe {
    name: "glib",
    about: "GLib's own tests of threads, queues and locks, with the system's library",
    sources: &["glib2.0"],
    needs: &["pkg-config"],
    build: r#"
for test in cond once onceinit private asyncqueue rcbox timeout; do
  $CC $CFLAGS -w -DG_LOG_DOMAIN='"GLib"' $(pkg-config --cflags glib-2.0) -Iglib2.0/glib \
    glib2.0/glib/tests/$test.c $(pkg-config --libs glib-2.0) -pthread -o $test
done
"#,
    run: "exec $TOOL ./asyncqueue -q > output",
    beside: None,
    tests: Some(
        r#"
for test in cond once onceinit private asyncqueue rcbox timeout; do
  ./$test -q
done
"#,
    ),
};

const QT: Recipe = Recipe {
    name: "qt",
    about: "Qt's own tests of semaphores and wait conditions, with the system's library",
    sources: &["qtbase-opensource-src"],
    needs: &["pkg-config"],
    build: r#"
folder=qtbase-opensource-src/tests/auto/corelib/thread
moc=$(pkg-config --variable=host_bins Qt5Core)/moc
for test in qsemaphore qwaitcondition; do
  $moc $folder/$test/tst_$test.cpp -o $folder/$test/tst_$test.moc
  $CXX $CXXFLAGS -w -fPIC -I$folder/$test $(pkg-config --cflags Qt5Core Qt5Test) \
    $folder/$test/tst_$test.cpp $(pkg-config --libs Qt5Core Qt5Test) -pthread -o $test
done
"#,
    run: "exec $TOOL ./qsemaphore -silent > output",
    beside: None,
    tests: Some("./qsemaphore\n./qwaitcondition wait_QMutex wait_QReadWriteLock"),
};

const LIBUV: Recipe = Recipe {
    name: "libuv",
    about: "libuv's own tests of its threads, thread pool, signals and forks",
    sources: &["libuv1"],
    needs: &["cmake"],
    build: r#"
cmake -S libuv1 -B built -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$CFLAGS -w"
cmake --build built -j $JOBS --target uv_run_tests_a
"#,
    run: "cd libuv1; UV_RUN_AS_ROOT=1 $TOOL ../built/uv_run_tests_a threadpool_cancel_work > output",
    beside: None,
    tests: Some(
        r#"
cd libuv1
export UV_RUN_AS_ROOT=1
for test in $(../built/uv_run_tests_a --list |
  grep -E '^(async|barrier|condvar|fork|fs_p|getaddrinfo|loop|metrics|poll|random|semaphore|signal|spawn_and|thread)' |
  grep -v -e poll_close_doesnt_corrupt_stack -e poll_closesocket); do
  ../built/uv_run_tests_a $test
done
"#,
    ),
};

const LMDB: Recipe = Recipe {
    name: "lmdb",
    about: "LMDB writes from two threads and reads from three",
    sources: &["lmdb"],
    needs: &[],
    build: r#"
cd lmdb/libraries/liblmdb
$CC $CFLAGS -w -I. mdb.c midl.c "$HERE/lmdb_load.c" -pthread -o ../../../load
"#,
    run: "rm -rf data; mkdir data; exec $TOOL ./load data",
    beside: None,
    tests: None,
};

const MIMALLOC: Recipe = Recipe {
    name: "mimalloc",
    about: "mimalloc's own stress test on four threads, with mimalloc as the program's malloc",
    sources: &["mimalloc"],
    needs: &[],
    build: r#"
cd mimalloc
$CC $CFLAGS -w -DNDEBUG -DMI_MALLOC_OVERRIDE -Iinclude src/static.c test/test-stress.c -pthread -o ../stress
"#,
    run: "exec $TOOL ./stress 4 20 5",
    beside: None,
    tests: None,
};

const ABSEIL: Recipe = Recipe {
    name: "abseil",
    about: "abseil's own tests of its mutex and condition variable",
    sources: &["abseil", "googletest"],
    needs: &["cmake"],
    build: r#"
cmake -S abseil -B built -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$CXXFLAGS -w" -DCMAKE_CXX_STANDARD=17 \
  -DBUILD_TESTING=ON -DABSL_BUILD_TESTING=ON -DABSL_LOCAL_GOOGLETEST_DIR="$PWD/googletest"
cmake --build built -j $JOBS --target absl_mutex_test
"#,
    run: "exec $TOOL built/bin/absl_mutex_test --gtest_filter=-ThreadCounts* > output",
    beside: None,
    tests: None,
};

const NNG: Recipe = Recipe {
    name: "nng",
    about: "nng's own tests of its sockets, which threads poll and others close",
    sources: &["nng"],
    needs: &["cmake"],
    build: r#"
cmake -S nng -B built -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$CFLAGS -w" -DNNG_TESTS=ON -DNNG_TOOLS=OFF
cmake --build built -j $JOBS
"#,
    run: "exec $TOOL built/tests/reqstress > output",
    beside: None,
    // Two of them ask for names of the internet.
    tests: Some(
        "ctest --test-dir built -j $JOBS --timeout 300 -E 'resolver_test|httpclient|compat_reqrep'",
    ),
};

const ZEROMQ: Recipe = Recipe {
    name: "zeromq",
    about: "libzmq's own tests, with its sockets that threads may share",
    sources: &["zeromq3"],
    needs: &["cmake"],
    build: r#"
cmake -S zeromq3 -B built -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$CXXFLAGS -w" -DCMAKE_C_FLAGS="$CFLAGS -w" \
  -DENABLE_DRAFTS=ON -DENABLE_CURVE=OFF -DWITH_LIBSODIUM=OFF -DBUILD_STATIC=OFF -DWITH_PERF_TOOL=OFF
cmake --build built -j $JOBS
"#,
    run: "exec $TOOL built/bin/test_shutdown_stress > output",
    beside: None,
    // Datagrams to many need a network, and the test has ten seconds.
    tests: Some("ctest --test-dir built -j $JOBS -E test_radio_dish"),
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
