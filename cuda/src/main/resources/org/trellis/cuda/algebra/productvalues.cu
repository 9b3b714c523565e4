// Products of sparse matrices, row by row: values, each the sum of its terms in the order of the columns of A.
#include "arguments.cuh"
#include "rowgroups.cuh"

// Computes the values of rows of at most CAPACITY columns, which are known. counts[3] is the first row with a term that
// has no entry. Where rows may be long, shared memory is full with the sums, and columns stay where they are.
extern "C" __global__ void __launch_bounds__(THREADS) fillValues(const __grid_constant__ Arguments a) {
    __shared__ double allSums[GROUPS * CAPACITY];
    double* const sums = allSums + threadIdx.x / GROUP * CAPACITY;
#if CAPACITY <= 1024
    __shared__ int allColumns[GROUPS * CAPACITY];
    int* const columns = allColumns + threadIdx.x / GROUP * CAPACITY;
#endif
    for (int turn = 0; turnsLeft(a, turn); turn++) {
        const int row = groupRow(a, turn);
        const int start = row < 0 ? 0 : a.offsets[row];
        const int count = row < 0 ? 0 : a.offsets[row + 1] - start;
        const bool mine = row >= 0 && count <= CAPACITY;
        for (int i = lane(); mine && i < count; i += GROUP) {
            sums[i] = 0;
#if CAPACITY <= 1024
            columns[i] = a.columns[start + i];
#endif
        }
        groupSync();
        const int first = mine ? a.a.offsets[row] : 0;
        const int last = mine ? a.a.offsets[row + 1] : 0;
#if CAPACITY > 1024
        const int* const columns = a.columns + start;
#endif
        addTerms(a, first, last, [&](int column, double term) {
            addTerm(a, row, columns, count, sums, column, term);
        });
        groupSync();
        for (int i = lane(); mine && i < count; i += GROUP) {
            a.values[start + i] = (REAL) sums[i];
        }
        groupSync();
    }
}
