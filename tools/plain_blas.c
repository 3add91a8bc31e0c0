/* The few BLAS routines that numpy's core calls, written plainly.
 *
 * Why: numpy's wheel carries OpenBLAS, 25 MB (and libgfortran, libquadmath) of tuned linear algebra that start worker
 * threads when they are loaded. pynav does no linear algebra, so a game would ship 28 MB for nothing. The runtime ships this
 * library in its place: `a @ b`, `dot`, `inner`, `vdot` keep working and are right, only slower for large matrices.
 * numpy.linalg's LAPACK part is left out and says so when it is called (see tools/runtime.py).
 *
 * Names and the 64-bit integers follow the library that the wheel links against (`scipy_cblas_*64_`). Semantics follow the
 * reference BLAS: where beta is zero the output is not read; a negative increment starts at the far end.
 * Sums run in index order in the type of the operands, so results can differ from OpenBLAS in the last bits.
 */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t blas_int;
enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102 };
enum { NO_TRANSPOSE = 111, TRANSPOSE = 112, CONJUGATE_TRANSPOSE = 113 };
enum { UPPER = 121, LOWER = 122 };

#define EXPORT __attribute__((visibility("default")))
#define NAME(routine) scipy_cblas_##routine##64_
#define FIRST(count, step) ((step) < 0 ? (1 - (count)) * (step) : 0)

static float same_f(float value) { return value; }
static double same_d(double value) { return value; }

/* Steps from one row and one column of op(A) to the next, for a matrix stored with leading dimension `lead`. */
static void steps(int order, int trans, blas_int lead, blas_int *row, blas_int *column) {
    int swapped = (order == COLUMN_MAJOR) != (trans != NO_TRANSPOSE);
    *row = swapped ? 1 : lead;
    *column = swapped ? lead : 1;
}

/* c[i, j] = alpha * sum_k a[i, k] b[k, j] + beta * c[i, j], over all j, or j >= i (part > 0), or j <= i (part < 0). */
#define MULTIPLY(P, T, CONJ)                                                                                            \
    static void P##_multiply(blas_int rows, blas_int columns, blas_int depth, T alpha, const T *a, blas_int a_row,       \
                             blas_int a_column, int a_conj, const T *b, blas_int b_row, blas_int b_column, int b_conj,  \
                             T beta, T *c, blas_int c_row, blas_int c_column, int part) {                                \
        for (blas_int i = 0; i < rows; i++) {                                                                           \
            blas_int first = part > 0 ? i : 0, last = part < 0 ? i + 1 : columns;                                       \
            T *out = c + i * c_row;                                                                                     \
            for (blas_int j = first; j < last; j++)                                                                     \
                out[j * c_column] = beta == 0 ? 0 : beta * out[j * c_column];                                           \
            for (blas_int k = 0; k < depth; k++) {                                                                      \
                T left = a[i * a_row + k * a_column];                                                                   \
                T scaled = alpha * (a_conj ? CONJ(left) : left);                                                        \
                const T *right = b + k * b_row;                                                                         \
                if (b_conj)                                                                                             \
                    for (blas_int j = first; j < last; j++) out[j * c_column] += scaled * CONJ(right[j * b_column]);    \
                else if (b_column == 1 && c_column == 1)                                                                \
                    for (blas_int j = first; j < last; j++) out[j] += scaled * right[j];                                \
                else                                                                                                    \
                    for (blas_int j = first; j < last; j++) out[j * c_column] += scaled * right[j * b_column];          \
            }                                                                                                           \
        }                                                                                                               \
    }

/* BY is how a scalar argument comes (value for the real types, pointer for the complex ones); SCALAR reads it. */
#define MATRIX_ROUTINES(P, T, BY, SCALAR)                                                                               \
    EXPORT void NAME(P##gemm)(int order, int trans_a, int trans_b, blas_int m, blas_int n, blas_int k, BY alpha,         \
                              const void *a, blas_int lda, const void *b, blas_int ldb, BY beta, void *c,               \
                              blas_int ldc) {                                                                           \
        blas_int a_row, a_column, b_row, b_column, c_row, c_column;                                                     \
        steps(order, trans_a, lda, &a_row, &a_column);                                                                  \
        steps(order, trans_b, ldb, &b_row, &b_column);                                                                  \
        steps(order, NO_TRANSPOSE, ldc, &c_row, &c_column);                                                             \
        P##_multiply(m, n, k, SCALAR(T, alpha), a, a_row, a_column, trans_a == CONJUGATE_TRANSPOSE, b, b_row, b_column, \
                     trans_b == CONJUGATE_TRANSPOSE, SCALAR(T, beta), c, c_row, c_column, 0);                           \
    }                                                                                                                   \
    EXPORT void NAME(P##syrk)(int order, int uplo, int trans, blas_int n, blas_int k, BY alpha, const void *a,           \
                              blas_int lda, BY beta, void *c, blas_int ldc) {                                           \
        blas_int a_row, a_column, c_row, c_column;                                                                      \
        steps(order, trans, lda, &a_row, &a_column);                                                                    \
        steps(order, NO_TRANSPOSE, ldc, &c_row, &c_column);                                                             \
        P##_multiply(n, n, k, SCALAR(T, alpha), a, a_row, a_column, 0, a, a_column, a_row, 0, SCALAR(T, beta), c,       \
                     c_row, c_column, uplo == UPPER ? 1 : -1);                                                          \
    }                                                                                                                   \
    EXPORT void NAME(P##gemv)(int order, int trans, blas_int m, blas_int n, BY alpha, const void *a, blas_int lda,       \
                              const void *x, blas_int inc_x, BY beta, void *y, blas_int inc_y) {                        \
        blas_int a_row, a_column;                                                                                       \
        blas_int rows = trans == NO_TRANSPOSE ? m : n, columns = trans == NO_TRANSPOSE ? n : m;                         \
        steps(order, trans, lda, &a_row, &a_column);                                                                    \
        P##_multiply(rows, 1, columns, SCALAR(T, alpha), a, a_row, a_column, trans == CONJUGATE_TRANSPOSE,              \
                     (const T *)x + FIRST(columns, inc_x), inc_x, 1, 0, SCALAR(T, beta),                                \
                     (T *)y + FIRST(rows, inc_y), inc_y, 1, 0);                                                         \
    }                                                                                                                   \
    EXPORT void NAME(P##axpy)(blas_int n, BY alpha, const void *x, blas_int inc_x, void *y, blas_int inc_y) {            \
        const T *from = (const T *)x + FIRST(n, inc_x);                                                                 \
        T *to = (T *)y + FIRST(n, inc_y), scale = SCALAR(T, alpha);                                                     \
        for (blas_int i = 0; i < n; i++) to[i * inc_y] += scale * from[i * inc_x];                                      \
    }

#define DOT_BODY(T, READ)                                                                                               \
    const T *left = (const T *)x + FIRST(n, inc_x), *right = (const T *)y + FIRST(n, inc_y);                            \
    T sum = 0;                                                                                                          \
    for (blas_int i = 0; i < n; i++) sum += READ(left[i * inc_x]) * right[i * inc_y];

#define BY_VALUE(T, scalar) (scalar)
#define BY_POINTER(T, scalar) (*(const T *)(scalar))

MULTIPLY(s, float, same_f)
MULTIPLY(d, double, same_d)
MULTIPLY(c, float complex, conjf)
MULTIPLY(z, double complex, conj)

MATRIX_ROUTINES(s, float, float, BY_VALUE)
MATRIX_ROUTINES(d, double, double, BY_VALUE)
MATRIX_ROUTINES(c, float complex, const void *, BY_POINTER)
MATRIX_ROUTINES(z, double complex, const void *, BY_POINTER)

EXPORT float NAME(sdot)(blas_int n, const float *x, blas_int inc_x, const float *y, blas_int inc_y) {
    DOT_BODY(float, same_f)
    return sum;
}
EXPORT double NAME(ddot)(blas_int n, const double *x, blas_int inc_x, const double *y, blas_int inc_y) {
    DOT_BODY(double, same_d)
    return sum;
}

#define COMPLEX_DOT(routine, T, READ)                                                                                   \
    EXPORT void NAME(routine)(blas_int n, const void *x, blas_int inc_x, const void *y, blas_int inc_y, void *result) {  \
        DOT_BODY(T, READ)                                                                                               \
        *(T *)result = sum;                                                                                             \
    }
COMPLEX_DOT(cdotu_sub, float complex, )
COMPLEX_DOT(zdotu_sub, double complex, )
COMPLEX_DOT(cdotc_sub, float complex, conjf)
COMPLEX_DOT(zdotc_sub, double complex, conj)
