/*
 * Compressed sparse rows times VECTORS vectors at once, stored interleaved (element i of all vectors, then element
 * i + 1). LANES neighbouring threads share a row, one vector each (or several, LANES apart, where there are more vectors
 * than lanes): they read the same entry of the matrix and neighbouring elements of the vectors.
 */
#include "product.cuh"

#define LANES COOPERATING
#define PER_LANE ((VECTORS + LANES - 1) / LANES)

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
spmv(PRODUCT_PARAMETERS, int rows, const Offset* __restrict__ offsets, const int* __restrict__ columns, const void*, const void*,
     const Value* __restrict__ values) {
    int lane = threadIdx.x % LANES;
    long long row = ((long long) blockIdx.x * BLOCK_SIZE + threadIdx.x) / LANES;
    if (row >= rows) {
        return;
    }
    Sum sum[PER_LANE] = {};
    Offset end = __ldg(offsets + row + 1);
#pragma unroll 4
    for (Offset k = __ldg(offsets + row); k < end; k++) {
        Sum value = Sum(__ldg(values + k));
        const Value* from = x + (long long) __ldg(columns + k) * VECTORS;
#pragma unroll
        for (int i = 0; i < PER_LANE; i++) {
            int v = lane + i * LANES;
            if (VECTORS % LANES == 0 || v < VECTORS) {
                sum[i] += value * Sum(__ldg(from + v));
            }
        }
    }
#pragma unroll
    for (int i = 0; i < PER_LANE; i++) {
        int v = lane + i * LANES;
        if (VECTORS % LANES == 0 || v < VECTORS) {
            Value* to = y + row * VECTORS + v;
            Sum result = Sum(alpha) * sum[i];
            if (beta != 0) {
                result += Sum(beta) * Sum(*to);
            }
            *to = Value(result);
        }
    }
}
