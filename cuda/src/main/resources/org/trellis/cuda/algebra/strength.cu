// Which couplings are strong, for multigrid by aggregation. One thread for each row unless said otherwise. The order of all
// sums is that of the set-up on the host.
#include "arguments.cuh"

// The sign of couplings and the greatest of each row times theta (alpha); x gets signs, y limits. Rows whose couplings
// amount to less than a share (beta) of their diagonal have an infinite limit: none is strong.
extern "C" __global__ void __launch_bounds__(THREADS) limits(const __grid_constant__ Arguments a) {
    const int row = item();
    double diagonal = 0;
    double greatest = 0;
    double least = 0;
    double above = 0;
    double below = 0;
    visitRows(a.a, a.rows, [&](int column, double value) {
        if (column == row) {
            diagonal = value;
        } else {
            greatest = fmax(greatest, value);
            least = fmin(least, value);
            above += fmax(0.0, value);
            below -= fmin(0.0, value);
        }
    });
    if (row < a.rows) {
        const double sign = diagonal < 0 ? 1 : -1;
        const double sum = diagonal < 0 ? above : below;
        a.x[row] = sign;
        a.y[row] = sum < a.beta * fabs(diagonal) ? __longlong_as_double(0x7ff0000000000000LL) : a.alpha * (diagonal < 0 ? greatest : -least);
    }
}

// Counts couplings that are not 0 (keys[0]) and those that are strong for both (keys[1]).
extern "C" __global__ void __launch_bounds__(THREADS) countWeak(const __grid_constant__ Arguments a) {
    __shared__ unsigned long long all;
    __shared__ unsigned long long kept;
    if (threadIdx.x == 0) {
        all = 0;
        kept = 0;
    }
    __syncthreads();
    const int row = item();
    const double sign = row < a.rows ? a.x[row] : 0.0;
    const double limit = row < a.rows ? a.y[row] : 0.0;
    int here = 0;
    int strong = 0;
    visitRows(a.a, a.rows, [&](int column, double value) {
        const double coupling = sign * value;
        here += column != row && value != 0;
        strong += column != row && coupling > 0 && coupling * coupling >= limit * a.y[column];
    });
    atomicAdd(&all, (unsigned long long) here);
    atomicAdd(&kept, (unsigned long long) strong);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((unsigned long long*) a.keys, all);
        atomicAdd((unsigned long long*) a.keys + 1, kept);
    }
}

// Values of a matrix with weak couplings on the diagonal (FilteredMatrix); b has the strong ones, x the near null space.
extern "C" __global__ void __launch_bounds__(THREADS) filterWeak(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    int next = a.b.offsets[row];
    const int last = a.b.offsets[row + 1];
    int diagonalAt = -1;
    double diagonal = 0;
    double sum = 0;
    double kept = 0;
    for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
        const int column = a.a.columns[k];
        const double value = a.a.values[k];
        const double product = value * a.x[column];
        sum += product;
        if (next < last && a.b.columns[next] == column) {
            if (column == row) {
                diagonalAt = next;
                diagonal = value;
            } else {
                kept += product;
            }
            a.values[next++] = (REAL) value;
        }
    }
    const double here = a.x[row];
    if (diagonalAt >= 0 && kept != 0 && here != 0) {
        a.values[diagonalAt] = (REAL) (((sum / here * diagonal > 0 ? sum : 0) - kept) / here);
    }
}

// The diagonal, 0 where there is none, to x.
extern "C" __global__ void __launch_bounds__(THREADS) diagonalOf(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int place = placeOf(a.a.columns, a.a.offsets[row], a.a.offsets[row + 1], row);
        a.x[row] = place < 0 ? 0.0 : (double) a.a.values[place];
    }
}
