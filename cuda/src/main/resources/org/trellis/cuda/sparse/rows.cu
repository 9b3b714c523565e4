// Products and sweeps over consecutive rows of a matrix. WIDTH threads share a row; thread t of them adds up the entries
// t, t + WIDTH and so on, and the sums of the threads are added in a tree: the same order for a row wherever it is
// computed.
//
// REAL: the type of the elements. THREADS: threads of a block. WIDTH: threads of a row.

struct Arguments {
    const int* offsets;
    const int* columns;
    const REAL* values;
    const REAL* x;
    const REAL* w;
    const REAL* inverse;
    const REAL* b;
    REAL* y;
    double first;
    double second;
    double third;
    int from;
    int to;
    // The first column whose element is one of w.
    int split;
    // The elements that relaxed rows belong to.
    const int* targets;
};

// Adds up what the threads of a row have; all of them get the sum, and all threads of the warp take part.
__device__ __forceinline__ REAL sumOfRow(REAL sum) {
    for (int half = WIDTH / 2; half > 0; half >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, half);
    }
    return sum;
}

// What is asked of a row.
__device__ __forceinline__ REAL dotOfRow(const Arguments& a, int row, bool present) {
    const int lane = threadIdx.x & (WIDTH - 1);
    REAL sum = 0;
    if (present) {
        const int end = a.offsets[row + 1];
        for (int k = a.offsets[row] + lane; k < end; k += WIDTH) {
            sum += a.values[k] * a.x[a.columns[k]];
        }
    }
    return sumOfRow(sum);
}

// y = first A x + second x + third w
extern "C" __global__ void __launch_bounds__(THREADS) trellisCombineRows(const __grid_constant__ Arguments a) {
    const int row = a.from + (int) ((blockIdx.x * THREADS + threadIdx.x) / WIDTH);
    const bool present = row < a.to;
    const REAL sum = dotOfRow(a, row, present);
    if (present && (threadIdx.x & (WIDTH - 1)) == 0) {
        REAL result = (REAL) a.first * sum;
        if (a.second != 0) {
            result += (REAL) a.second * a.x[row];
        }
        if (a.third != 0) {
            result += (REAL) a.third * a.w[row];
        }
        a.y[row] = result;
    }
}

// y = x + first (x - w) + second inverse (b - A x)
extern "C" __global__ void __launch_bounds__(THREADS) trellisSweepRows(const __grid_constant__ Arguments a) {
    const int row = a.from + (int) ((blockIdx.x * THREADS + threadIdx.x) / WIDTH);
    const bool present = row < a.to;
    const REAL sum = dotOfRow(a, row, present);
    if (present && (threadIdx.x & (WIDTH - 1)) == 0) {
        REAL result = a.x[row];
        if (a.first != 0) {
            result += (REAL) a.first * (a.x[row] - a.w[row]);
        }
        a.y[row] = result + (REAL) a.second * (a.inverse[row] * (a.b[row] - sum));
    }
}

// y = first A x + third y; x is in two places.
extern "C" __global__ void __launch_bounds__(THREADS) trellisSplitRows(const __grid_constant__ Arguments a) {
    const int row = a.from + (int) ((blockIdx.x * THREADS + threadIdx.x) / WIDTH);
    const int lane = threadIdx.x & (WIDTH - 1);
    const bool present = row < a.to;
    REAL sum = 0;
    if (present) {
        const int end = a.offsets[row + 1];
        for (int k = a.offsets[row] + lane; k < end; k += WIDTH) {
            const int column = a.columns[k];
            sum += a.values[k] * (column < a.split ? a.x[column] : a.w[column - a.split]);
        }
    }
    sum = sumOfRow(sum);
    if (present && lane == 0) {
        const REAL result = (REAL) a.first * sum;
        a.y[row] = a.third == 0 ? result : result + (REAL) a.third * a.y[row];
    }
}

// Relaxes elements in place: y = third y + second inverse (b - A x), where x is y and A has no diagonal. Rows that run
// at the same time are no neighbours.
extern "C" __global__ void __launch_bounds__(THREADS) trellisRelaxRows(const __grid_constant__ Arguments a) {
    const int row = a.from + (int) ((blockIdx.x * THREADS + threadIdx.x) / WIDTH);
    const bool present = row < a.to;
    const REAL sum = dotOfRow(a, row, present);
    if (present && (threadIdx.x & (WIDTH - 1)) == 0) {
        const int target = a.targets[row];
        const REAL change = (REAL) a.second * (a.inverse[row] * (a.b[target] - sum));
        a.y[target] = a.third == 0 ? change : (REAL) a.third * a.y[target] + change;
    }
}
