// Products of sparse matrices, row by row: columns and values of short rows at once, by groups of less than a warp.
#include "arguments.cuh"
#include "rowgroups.cuh"

// A place in a table whose entry is being made by another thread, for another column of the same row of B.
#define TAKEN (EMPTY - 1)

// Entries of a row in the order in which they are met, with a table of their places.
struct MetRow {
    int* table;
    unsigned mask;
    int* columns;
    double* sums;
    int* count;

    // Adds a term. Threads of a group add to different columns at a time, and wait for each other before they add again.
    __device__ __forceinline__ void add(int column, double term) const {
        for (unsigned slot = slotOf(column, mask);; slot = (slot + 1) & mask) {
            int place = *(volatile int*) (table + slot);
            if (place == EMPTY) {
                place = atomicCAS(&table[slot], EMPTY, TAKEN);
                if (place == EMPTY) {
                    place = atomicAdd(count, 1);
                    *(volatile int*) (columns + place) = column;
                    sums[place] = 0.0 + term;
                    __threadfence_block(); // who finds the place finds the column there
                    *(volatile int*) (table + slot) = place;
                    return;
                }
            }
            if (place != TAKEN && *(volatile int*) (columns + place) == column) {
                sums[place] += term;
                return;
            }
        }
    }
};

// Finds columns and values of rows of at most CAPACITY columns at once. The offsets are there.
extern "C" __global__ void __launch_bounds__(THREADS) fillRows(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * TABLE];
    __shared__ int allColumns[GROUPS * CAPACITY];
    __shared__ double allSums[GROUPS * CAPACITY];
    __shared__ int found[GROUPS];
    const int group = (int) threadIdx.x / GROUP;
    const int row = (int) (blockIdx.x * GROUPS) + group;
    const int start = row < a.rows ? a.offsets[row] : 0;
    const int length = row < a.rows ? a.offsets[row + 1] - start : 0;
    const int count = length <= CAPACITY ? length : 0;
    const unsigned mask = maskFor(greatest(count));
    const MetRow met = {tables + group * TABLE, mask, allColumns + group * CAPACITY, allSums + group * CAPACITY,
            found + group};
    clear(met.table, mask, met.count);
    const int first = count > 0 ? a.a.offsets[row] : 0;
    addTerms(a, first, count > 0 ? a.a.offsets[row + 1] : 0, [&](int column, double term) { met.add(column, term); });
    groupSync();
    for (int i = lane(); i < count; i += GROUP) {
        const int column = met.columns[i];
        int place = 0;
        for (int other = 0; other < count; other++) {
            place += met.columns[other] < column;
        }
        a.columns[start + place] = column;
        a.values[start + place] = (REAL) met.sums[i];
    }
}
