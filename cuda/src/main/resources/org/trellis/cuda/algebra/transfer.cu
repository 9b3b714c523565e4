// The interpolation between spaces of finite elements. list has the unknowns of the elements of the larger space, size of
// them each, more those of the smaller one, first of them for each field; unknowns from rows (last) on are none. x has the
// functions of the smaller space at the points of the larger one, zeros exact, for alpha fields and beta children of an
// element one after the other. counts has the first place of each row among the unknowns of elements.
#include "arguments.cuh"

extern "C" __global__ void __launch_bounds__(THREADS) noPlaces(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        a.counts[row] = 0x7fffffff;
    }
}

// rows is the number of all unknowns of elements here, and last that of rows.
extern "C" __global__ void __launch_bounds__(THREADS) firstPlaces(const __grid_constant__ Arguments a) {
    const int k = item();
    if (k < a.rows && a.list[k] < a.last) {
        atomicMin(a.counts + a.list[k], k);
    }
}

// Hands over the entries of a row, function by function.
template <class PUT>
__device__ __forceinline__ void entries(const Arguments& a, int row, PUT put) {
    const int fields = (int) a.alpha;
    const int children = (int) a.beta;
    const int nodes = a.size / fields;
    const int place = a.counts[row] / fields;
    const int field = a.counts[row] % fields;
    const int parent = place / nodes / children;
    const int point = place - parent * children * nodes;
    for (int j = 0; j < a.first; j++) {
        const double value = a.x[(long long) point * a.first + j];
        const int column = a.more[((long long) parent * a.first + j) * fields + field];
        if (value != 0 && column < a.last) {
            put(column, value);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) countInterpolation(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        int length = 0;
        entries(a, row, [&](int, double) { length++; });
        a.lengths[row] = length;
    }
}

// In ascending order of the columns.
extern "C" __global__ void __launch_bounds__(THREADS) fillInterpolation(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int start = a.offsets[row];
        int end = start;
        entries(a, row, [&](int column, double value) {
            int at = end++;
            for (; at > start && a.columns[at - 1] > column; at--) {
                a.columns[at] = a.columns[at - 1];
                a.values[at] = a.values[at - 1];
            }
            a.columns[at] = column;
            a.values[at] = (REAL) value;
        });
    }
}
