/* Adds up the partial sums that the blocks of a product left, always in the same order. Runs as one block. */
#include "product.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK_SIZE)
reduce(const Sum* __restrict__ partial, int count, double* result) {
    __shared__ Sum scratch[WARP];
    Sum sum = 0;
    for (int i = threadIdx.x; i < count; i += BLOCK_SIZE) {
        sum += partial[i];
    }
    sum = sumOverBlock(sum, scratch);
    if (threadIdx.x == 0) {
        *result = double(sum);
    }
}
