// The steps in which the pattern of a matrix is made from what elements couple (CudaPattern says in which order).
// STEP is the step that is compiled, THREADS the block size. All steps have the same argument, and leave unused what
// they do not need; a launch has at least as many threads as items, but for scan, which is one block.

#include "heap.cuh"

struct Arguments {
    const int* rows;    // the row of each element
    const int* columns; // the column of each element
    const int* starts;  // where each row starts, and the end of the last one
    const int* offsets; // the same after repetitions have been dropped
    int* lengths;       // of each row
    int* cursors;       // where the next column of each row goes
    int* gathered;      // columns of all rows, with repetitions
    int* result;        // what the step is there for
    int count;          // items: elements or rows
    int amount;         // what an element adds to the length of its row
};

__device__ __forceinline__ int item() {
    return (int) (blockIdx.x * THREADS + threadIdx.x);
}

// Adds to the length of each element's row.
__device__ __forceinline__ void countColumns(const Arguments& a) {
    const int e = item();
    if (e < a.count) {
        atomicAdd(&a.lengths[a.rows[e]], a.amount);
    }
}

// Where each row starts from the lengths: result has one more than count. Each thread sums consecutive rows of a tile.
__device__ __forceinline__ void scan(const Arguments& a) {
    const int each = 8;
    __shared__ int sums[THREADS];
    int before = 0;
    for (int tile = 0; tile < a.count; tile += THREADS * each) {
        const int first = tile + threadIdx.x * each;
        int own = 0;
        for (int k = 0; k < each; k++) {
            own += first + k < a.count ? a.lengths[first + k] : 0;
        }
        sums[threadIdx.x] = own;
        __syncthreads();
        for (int distance = 1; distance < THREADS; distance *= 2) {
            const int left = (int) threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
            __syncthreads();
            sums[threadIdx.x] += left;
            __syncthreads();
        }
        int start = before + sums[threadIdx.x] - own;
        for (int k = 0; k < each && first + k < a.count; k++) {
            a.result[first + k] = start;
            start += a.lengths[first + k];
        }
        before += sums[THREADS - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        a.result[a.count] = before;
    }
}

// Puts each element's column into its row, in no particular order.
__device__ __forceinline__ void gatherColumns(const Arguments& a) {
    const int e = item();
    if (e < a.count) {
        a.gathered[atomicAdd(&a.cursors[a.rows[e]], 1)] = a.columns[e];
    }
}

// Sorts the columns of a row by a heap, in place, and drops repetitions. Rows of element matrices are short.
__device__ __forceinline__ void sortRows(const Arguments& a) {
    const int row = item();
    if (row < a.count) {
        int* const columns = a.gathered + a.starts[row];
        const int size = a.starts[row + 1] - a.starts[row];
        sortByHeap(columns, size);
        int length = 0;
        for (int k = 0; k < size; k++) {
            if (length == 0 || columns[length - 1] != columns[k]) {
                columns[length++] = columns[k];
            }
        }
        a.lengths[row] = length;
    }
}

// Moves rows together.
__device__ __forceinline__ void copyRows(const Arguments& a) {
    const int row = item();
    if (row < a.count) {
        const int from = a.starts[row];
        const int to = a.offsets[row];
        for (int k = 0; k < a.offsets[row + 1] - to; k++) {
            a.result[to + k] = a.gathered[from + k];
        }
    }
}

// Finds each element's column in its row by bisection; gathered has the columns of the rows at offsets by now.
__device__ __forceinline__ void findPositions(const Arguments& a) {
    const int e = item();
    if (e < a.count) {
        int low = a.offsets[a.rows[e]];
        int high = a.offsets[a.rows[e] + 1] - 1;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (a.gathered[middle] < a.columns[e]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        a.result[e] = low;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) patternStep(const __grid_constant__ Arguments a) {
    STEP(a);
}
