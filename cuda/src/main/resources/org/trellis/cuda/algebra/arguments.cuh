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
