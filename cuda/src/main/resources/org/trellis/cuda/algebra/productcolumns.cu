// Products of sparse matrices, row by row: their columns, by a hash table in shared memory, sorted.
#include "arguments.cuh"
#include "rowgroups.cuh"

// Moves the columns of a table together, in no order. In place, since no slot is written that a thread of the group has
// yet to read.
__device__ __forceinline__ void compact(int* table, unsigned mask, int* count) {
    for (unsigned first = 0; first <= mask; first += GROUP) {
        const unsigned slot = first + lane();
        const int column = slot <= mask ? table[slot] : EMPTY;
        groupSync();
#if GROUP <= 32
        const unsigned shift = threadIdx.x % 32 / GROUP * GROUP;
        const unsigned there = __ballot_sync(FULL, column != EMPTY) >> shift & (FULL >> (32 - GROUP));
        const int place = *count + __popc(there & ((1u << lane()) - 1));
        if (column != EMPTY) {
            table[place] = column;
        }
        groupSync();
        if (lane() == 0) {
            *count += __popc(there);
        }
#else
        if (column != EMPTY) {
            table[atomicAdd(count, 1)] = column;
        }
#endif
        groupSync();
    }
}

// Finds the columns of rows of at most CAPACITY columns, in order. The offsets are there.
extern "C" __global__ void __launch_bounds__(THREADS) fillColumns(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * TABLE];
    __shared__ int found[GROUPS];
    int* const table = tables + threadIdx.x / GROUP * TABLE;
    int* const count = found + threadIdx.x / GROUP;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = row < 0 ? 0 : a.offsets[row];
        const int length = row < 0 ? 0 : a.offsets[row + 1] - start;
        const int columns = length <= CAPACITY ? length : 0;
        const unsigned mask = maskFor(greatest(columns));
        clear(table, mask, count);
        const int first = columns > 0 ? a.a.offsets[row] : 0;
        collect<false>(a, first, columns > 0 ? a.a.offsets[row + 1] : 0, table, mask, count);
        compact(table, mask, count);
        sortKeys(table, columns);
        for (int i = lane(); i < columns; i += GROUP) {
            a.columns[start + i] = table[i];
        }
        groupSync();
    }
}
