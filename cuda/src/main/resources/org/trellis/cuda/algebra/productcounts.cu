// Products of sparse matrices, row by row: how many terms and how many columns rows have.
#include "arguments.cuh"
#include "rowgroups.cuh"

// Terms of each row, at most as many as there are columns (size), go to lengths. Rows of more than TRIED go to the first
// list; counts[6], counts[4] and counts[5] say how many have more than BOUND0, BOUND1 and BOUND2.
extern "C" __global__ void __launch_bounds__(THREADS) countTerms(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        long long terms = 0;
        for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
            const int inner = a.a.columns[k];
            terms += a.b.offsets[inner + 1] - a.b.offsets[inner];
        }
        const int length = (int) (terms < a.size ? terms : a.size);
        a.lengths[row] = length;
        if (length > BOUND0) {
            atomicAdd(&a.counts[6], 1);
        }
        if (length > BOUND1) {
            atomicAdd(&a.counts[4], 1);
        }
        if (length > TRIED) {
            a.more[atomicAdd(&a.counts[0], 1)] = row;
        }
        if (length > BOUND2) {
            atomicAdd(&a.counts[5], 1);
        }
    }
}

// Rows go to lists by CAPACITY of what works on them: more than BOUND0 to the first list, and so on.
__device__ __forceinline__ void sortIn(const Arguments& a, int row, int length) {
    if (length > BOUND0) {
        enlist(a, length > BOUND2 ? 2 : length > BOUND1 ? 1 : 0, row);
    }
}

// Sorts rows into lists by the lengths that they have.
extern "C" __global__ void __launch_bounds__(THREADS) sortIntoLists(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        sortIn(a, row, a.offsets[row + 1] - a.offsets[row]);
    }
}

// Counts the columns of rows, whose terms lengths says; they become the lengths. Without a list, rows of at most TRIED
// terms are taken, since few of many terms are different columns; rows that turn out to have more than CAPACITY columns go
// to the next list.
extern "C" __global__ void __launch_bounds__(THREADS) countDistinct(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * TABLE];
    __shared__ int found[GROUPS];
    int* const table = tables + threadIdx.x / GROUP * TABLE;
    int* const count = found + threadIdx.x / GROUP;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int terms = row < 0 ? 0 : a.lengths[row];
        const bool mine = terms > 0 && (a.list != nullptr || terms <= TRIED);
        const unsigned mask = maskFor(greatest(mine ? min(terms, CAPACITY) : 0));
        clear(table, mask, count);
        const int first = mine ? a.a.offsets[row] : 0;
        const int own = collect<true>(a, first, mine ? a.a.offsets[row + 1] : 0, table, mask, count);
        if (own > 0) {
            atomicAdd(count, own);
        }
        groupSync();
        if (mine && lane() == 0) {
            if (*count > CAPACITY) {
                enlist(a, a.list == nullptr ? 0 : a.first + 1, row);
            } else {
                a.lengths[row] = *count;
            }
        }
        groupSync();
    }
}
