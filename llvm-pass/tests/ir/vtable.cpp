// Vtable pointers, known by their alias metadata.
// RUN: clang -O1 -S -emit-llvm
struct Shape {
  virtual int area();
  Shape();
  int side;
};

// CHECK-LABEL: @_ZN5ShapeC2Ev(
// CHECK: call void @__racert_vptr_write(ptr %{{.*}}, ptr getelementptr {{.*}}@_ZTV5Shape
Shape::Shape() {}

int Shape::area() { return side; }

// CHECK-LABEL: @_Z4callP5Shape(
// CHECK: call void @__racert_vptr_read(ptr
// CHECK: ret i32
int call(Shape *s) { return s->area(); }
