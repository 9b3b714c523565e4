// What kernels of matrix algebra and of the set-up of multigrid have in common. REAL is the type of values, THREADS the
// block size. All kernels have the same argument and leave unused what they do not need (AlgebraLaunch fills it in).
// Arithmetic is in double precision without fused multiply-adds, in the order in which threads of the host do it, and
// rounded once, so that results have the same bits as there.

struct Matrix {
    const int* offsets;
    const int* columns;
    const REAL* values;
};

struct Arguments {
    Matrix a;          // the first operand
    Matrix b;          // the second operand
    int* offsets;      // where rows of the result start
    int* columns;      // the result's columns
    REAL* values;      // the result's values
    int* lengths;      // entries of the rows of the result
    int* list;         // rows of interest, or integers a row
    int* more;         // further integers
    int* counts;       // a few counters
    double* x;         // vectors of doubles
    double* y;
    double* z;
    double* scalars;   // a few numbers on the device
    long long* keys;   // 64-bit integers
    long long* others;
    REAL* vector;      // a vector in the precision of the matrices
    double alpha;      // what these are, kernels say
    double beta;
    int rows;
    int size;
    int first;
    int last;
};

__device__ __forceinline__ int item() {
    return (int) (blockIdx.x * THREADS + threadIdx.x);
}

// A barrier of all blocks of a launch whose blocks run together. counter was 0 before the first one, and turn counts them.
// What any thread wrote before is there for all afterwards.
__device__ __forceinline__ void gridBarrier(int* counter, int& turn) {
    turn++;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(counter, 1);
        while (*(volatile int*) counter < turn * (int) gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

// Where a column is in a row, or where it would have to be as -1 - place.
__device__ __forceinline__ int placeOf(const int* columns, int from, int to, int column) {
    int low = from;
    int high = to;
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (columns[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < to && columns[low] == column ? low : -1 - low;
}

// How many entries visitRows has in shared memory at a time.
#define VISITED (4 * THREADS)

// Shows each thread the entries of its row (item), one after the other, to entry(column, value). All threads of a block load
// the entries of its rows in the order of memory, and all of them call this, those beyond the last row too.
template <typename Visitor>
__device__ __forceinline__ void visitRows(const Matrix& m, int rows, Visitor&& entry) {
    __shared__ int columns[VISITED];
    __shared__ REAL values[VISITED];
    const int row = item();
    const int base = (int) (blockIdx.x * THREADS);
    const int start = row < rows ? m.offsets[row] : 0;
    const int end = row < rows ? m.offsets[row + 1] : 0;
    const int to = m.offsets[min(base + THREADS, rows)];
    for (int slab = m.offsets[base]; slab < to; slab += VISITED) {
        for (int k = slab + threadIdx.x; k < to && k < slab + VISITED; k += THREADS) {
            columns[k - slab] = m.columns[k];
            values[k - slab] = m.values[k];
        }
        __syncthreads();
        for (int k = max(start, slab); k < end && k < slab + VISITED; k++) {
            entry(columns[k - slab], (double) values[k - slab]);
        }
        __syncthreads();
    }
}
