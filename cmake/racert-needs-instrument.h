/* Read first by sources that link Racert::racert where the project's compiler
   cannot load a plugin. */
#ifndef __RACERT__
#error "racert: this compiler cannot put checks in: call racert_instrument(target), which has racert-clang compile it"
#endif
