/*
 * The elements of each row, and the structure of the matrix: the columns of a row are those of its elements, each once.
 * Elements are sorted, so that the columns of a row are merged from them in order, without room for repetitions.
 *
 * UNKNOWNS unknowns of an element
 * MOST     elements of a row, at most
 * THREADS  block size
 */
#include "heap.cuh"

// All members have 8 bytes.
struct Arguments {
    const int* unknowns; // of elements
    int* sorted;         // the same in ascending order
    int* lengths;        // of rows: their elements, then their columns
    int* cursors;        // where the next element of each row goes
    int* slots;          // of rows: e * UNKNOWNS + i where the row is unknown i of element e
    const int* starts;   // of the elements of rows, and their number
    const int* offsets;  // of the columns of rows
    int* columns;
    int* most;           // the largest number of elements of a row
    long long cells;
    long long rows;
};

__device__ __forceinline__ long long item() {
    return (long long) blockIdx.x * THREADS + threadIdx.x;
}

extern "C" __global__ void __launch_bounds__(THREADS) sortElements(const __grid_constant__ Arguments a) {
    const long long e = item();
    if (e < a.cells) {
        int* const own = a.sorted + e * UNKNOWNS;
        for (int j = 0; j < UNKNOWNS; j++) {
            own[j] = a.unknowns[e * UNKNOWNS + j];
        }
        sortByHeap(own, UNKNOWNS);
    }
}

// Constrained unknowns come after all rows, and are none.
extern "C" __global__ void __launch_bounds__(THREADS) countElements(const __grid_constant__ Arguments a) {
    const long long k = item();
    if (k < a.cells * UNKNOWNS) {
        const int row = a.unknowns[k];
        if (row < a.rows) {
            const int count = atomicAdd(a.lengths + row, 1) + 1;
            if (count > *a.most) {
                atomicMax(a.most, count);
            }
        }
    }
}

// Slots of a row are in any order, which the merged columns do not show.
extern "C" __global__ void __launch_bounds__(THREADS) listSlots(const __grid_constant__ Arguments a) {
    const long long k = item();
    if (k < a.cells * UNKNOWNS) {
        const int row = a.unknowns[k];
        if (row < a.rows) {
            a.slots[atomicAdd(a.cursors + row, 1)] = (int) k;
        }
    }
}

// Puts the slots of each row into the order of the elements.
extern "C" __global__ void __launch_bounds__(THREADS) sortSlots(const __grid_constant__ Arguments a) {
    const long long row = item();
    if (row < a.rows) {
        sortByHeap(a.slots + a.starts[row], a.starts[row + 1] - a.starts[row]);
    }
}

#ifdef MOST
// Hands over the columns of a row in ascending order; returns how many there are.
template <class PUT>
__device__ __forceinline__ int merge(const Arguments& a, long long row, PUT put) {
    unsigned short heads[MOST];
    const int from = a.starts[row];
    const int count = a.starts[row + 1] - from;
    for (int s = 0; s < count; s++) {
        heads[s] = 0;
    }
    int length = 0;
    for (;;) {
        int least = (int) a.rows;
        for (int s = 0; s < count; s++) {
            if (heads[s] < UNKNOWNS) {
                const int column = a.sorted[(long long) (a.slots[from + s] / UNKNOWNS) * UNKNOWNS + heads[s]];
                least = column < least ? column : least;
            }
        }
        if (least == (int) a.rows) {
            return length;
        }
        put(length++, least);
        for (int s = 0; s < count; s++) {
            while (heads[s] < UNKNOWNS
                    && a.sorted[(long long) (a.slots[from + s] / UNKNOWNS) * UNKNOWNS + heads[s]] == least) {
                heads[s]++;
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) countColumns(const __grid_constant__ Arguments a) {
    const long long row = item();
    if (row < a.rows) {
        a.lengths[row] = merge(a, row, [](int, int) {});
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) listColumns(const __grid_constant__ Arguments a) {
    const long long row = item();
    if (row < a.rows) {
        int* const own = a.columns + a.offsets[row];
        merge(a, row, [own](int k, int column) { own[k] = column; });
    }
}
#endif
