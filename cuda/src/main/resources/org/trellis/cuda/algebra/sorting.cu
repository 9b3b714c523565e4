// Columns of rows in order.
#include "arguments.cuh"
#include "rowgroups.cuh"

// Sorts the columns of rows in place: without a list those of at most CAPACITY entries, with one those of more than
// BOUND0, where a warp takes rows of up to BOUND1 and a block the others, in the device's memory if there are too many.
extern "C" __global__ void __launch_bounds__(THREADS) sortColumns(const __grid_constant__ Arguments a) {
    __shared__ int tables[GROUPS * CAPACITY];
    int* const table = tables + threadIdx.x / GROUP * CAPACITY;
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = row < 0 ? 0 : a.offsets[row];
        const int length = row < 0 ? 0 : a.offsets[row + 1] - start;
        const int columns = length <= CAPACITY && (GROUP <= 32 || length > BOUND1) ? length : 0;
        for (int i = lane(); i < columns; i += GROUP) {
            table[i] = a.columns[start + i];
        }
        groupSync();
        sortKeys(table, columns);
        for (int i = lane(); i < columns; i += GROUP) {
            a.columns[start + i] = table[i];
        }
        groupSync();
        if (GROUP > 32 && length > CAPACITY) {
            sortKeys(a.columns + start, length);
        }
    }
}
