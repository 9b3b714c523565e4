/* Puts the elements of the multiplicand in the hot columns side by side, for hot.cu. */

extern "C" __global__ void gatherHot(const int* __restrict__ list, int count, const VALUE* __restrict__ x,
                                     VALUE* __restrict__ elements) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        elements[i] = x[list[i]];
    }
}
