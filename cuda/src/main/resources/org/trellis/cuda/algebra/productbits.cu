// Products of sparse matrices for rows of very many columns: a bit for each in the device's memory, size words of 32 for
// each block in more. The bits are 0 before and after. With groups of a whole block only.
#include "arguments.cuh"
#include "rowgroups.cuh"

__device__ __forceinline__ void setBits(const Arguments& a, int row, int* bits) {
    for (int k = a.a.offsets[row] + threadIdx.x / SPAN; k < a.a.offsets[row + 1]; k += THREADS / SPAN) {
        const int inner = a.a.columns[k];
        const int end = a.b.offsets[inner + 1];
        for (int l = a.b.offsets[inner] + threadIdx.x % SPAN; l < end; l += SPAN) {
            const int column = a.b.columns[l];
            atomicOr(&bits[column / 32], (int) (1u << column % 32));
        }
    }
    __syncthreads();
}

// Counts the columns of the rows of a list.
extern "C" __global__ void __launch_bounds__(THREADS) countBits(const __grid_constant__ Arguments a) {
    __shared__ int count;
    int* const bits = a.more + (long long) blockIdx.x * a.size;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        if (threadIdx.x == 0) {
            count = 0;
        }
        setBits(a, row, bits);
        int own = 0;
        for (int word = threadIdx.x; word < a.size; word += THREADS) {
            own += __popc((unsigned) bits[word]);
            bits[word] = 0;
        }
        atomicAdd(&count, own);
        __syncthreads();
        if (threadIdx.x == 0) {
            a.lengths[row] = count;
        }
        __syncthreads();
    }
}

// Finds the columns of the rows of a list, in order: each thread has consecutive words.
extern "C" __global__ void __launch_bounds__(THREADS) fillBits(const __grid_constant__ Arguments a) {
    __shared__ int sums[THREADS];
    int* const bits = a.more + (long long) blockIdx.x * a.size;
    const int each = (a.size + THREADS - 1) / THREADS;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        setBits(a, row, bits);
        const int first = threadIdx.x * each;
        int own = 0;
        for (int word = first; word < first + each && word < a.size; word++) {
            own += __popc((unsigned) bits[word]);
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        for (int distance = 1; distance < THREADS; distance *= 2) {
            const int left = (int) threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
            __syncthreads();
            sums[threadIdx.x] += left;
            __syncthreads();
        }
        int at = a.offsets[row] + sums[threadIdx.x] - own;
        for (int word = first; word < first + each && word < a.size; word++) {
            for (unsigned rest = (unsigned) bits[word]; rest != 0; rest &= rest - 1) {
                a.columns[at++] = word * 32 + __ffs((int) rest) - 1;
            }
            bits[word] = 0;
        }
        __syncthreads();
    }
}

// Computes the values of the rows of a list; each block has last sums in x.
extern "C" __global__ void __launch_bounds__(THREADS) fillLongValues(const __grid_constant__ Arguments a) {
    double* const sums = a.x + (long long) blockIdx.x * a.last;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = a.offsets[row];
        const int count = a.offsets[row + 1] - start;
        for (int i = threadIdx.x; i < count; i += THREADS) {
            sums[i] = 0;
        }
        __syncthreads();
        addTerms(a, a.a.offsets[row], a.a.offsets[row + 1], [&](int column, double term) {
            addTerm(a, row, a.columns + start, count, sums, column, term);
        });
        for (int i = threadIdx.x; i < count; i += THREADS) {
            a.values[start + i] = (REAL) sums[i];
        }
        __syncthreads();
    }
}
