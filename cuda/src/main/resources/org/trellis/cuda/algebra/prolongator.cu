// Prolongators of multigrid by aggregation, and what the next level needs beside matrix algebra. One thread for each row
// unless said otherwise. The order of all sums is that of the set-up on the host.
#include "arguments.cuh"

#define NONE (-1)

// The tentative prolongator of one vector (x): its values divided by their length on each aggregate, whose members are in
// b. more gets the column of each row, vector its value, y the vector on the next level. Rows are aggregates.
extern "C" __global__ void __launch_bounds__(THREADS) tentative(const __grid_constant__ Arguments a) {
    const int aggregate = item();
    if (aggregate < a.rows) {
        const int from = a.b.offsets[aggregate];
        const int to = a.b.offsets[aggregate + 1];
        double sum = 0;
        for (int k = from; k < to; k++) {
            const double element = a.x[a.b.columns[k]];
            sum += element * element;
        }
        const double length = sqrt(sum);
        for (int k = from; k < to; k++) {
            const int node = a.b.columns[k];
            const double element = length > 0 ? a.x[node] / length : 0.0;
            a.more[node] = element == 0 ? NONE : aggregate;
            a.vector[node] = (REAL) element;
        }
        a.y[aggregate] = length;
    }
}

// How many entries rows of the tentative prolongator have: 0 or 1.
extern "C" __global__ void __launch_bounds__(THREADS) countTentative(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        a.lengths[row] = a.list[row] >= 0;
    }
}

// The tentative prolongator as a matrix.
extern "C" __global__ void __launch_bounds__(THREADS) fillTentative(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.list[row] >= 0) {
        a.columns[a.offsets[row]] = a.list[row];
        a.values[a.offsets[row]] = a.vector[row];
    }
}

// Rows of the smoothed prolongator in scratch memory, from entry offsets of a plus the row's number on: columns in more,
// sums in z. list and vector are the tentative prolongator, x the factors. lengths gets how many there are.
extern "C" __global__ void __launch_bounds__(THREADS) smoothRows(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    const int start = a.a.offsets[row];
    const int end = a.a.offsets[row + 1];
    int* const columns = a.more + start + (long long) row;
    double* const sums = a.z + start + (long long) row;
    int size = 0;
    if (a.list[row] >= 0) {
        columns[0] = a.list[row];
        sums[0] = a.vector[row];
        size = 1;
    }
    const double factor = -a.x[row];
    for (int k = start; k < end; k++) {
        const int inner = a.a.columns[k];
        const int column = a.list[inner];
        if (column < 0) {
            continue;
        }
        const double term = factor * (double) a.a.values[k] * (double) a.vector[inner];
        int place = size - 1;
        while (place >= 0 && columns[place] > column) {
            place--;
        }
        if (place >= 0 && columns[place] == column) {
            sums[place] += term;
        } else {
            for (int moved = size; moved > place + 1; moved--) {
                columns[moved] = columns[moved - 1];
                sums[moved] = sums[moved - 1];
            }
            columns[place + 1] = column;
            sums[place + 1] = term;
            size++;
        }
    }
    a.lengths[row] = size;
}

// Values of a smoothed prolongator whose columns are there (offsets, columns), added up in the order in which smoothRows
// meets the terms; in z where values are floats. Sums begin with -0, to which any term adds up to itself.
extern "C" __global__ void __launch_bounds__(THREADS) smoothAgain(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row >= a.rows) {
        return;
    }
    const int from = a.offsets[row];
    const int to = a.offsets[row + 1];
    double* const sums = sizeof(REAL) == sizeof(double) ? (double*) a.values : a.z;
    for (int k = from; k < to; k++) {
        sums[k] = -0.0;
    }
    if (a.list[row] >= 0) {
        sums[placeOf(a.columns, from, to, a.list[row])] = a.vector[row];
    }
    const double factor = -a.x[row];
    for (int k = a.a.offsets[row]; k < a.a.offsets[row + 1]; k++) {
        const int inner = a.a.columns[k];
        const int column = a.list[inner];
        if (column >= 0) {
            const int place = placeOf(a.columns, from, to, column);
            if (place >= 0) {
                sums[place] += factor * (double) a.a.values[k] * (double) a.vector[inner];
            }
        }
    }
    for (int k = from; k < to && sizeof(REAL) < sizeof(double); k++) {
        a.values[k] = (REAL) sums[k];
    }
}

// Moves the rows of the smoothed prolongator together.
extern "C" __global__ void __launch_bounds__(THREADS) copySmoothed(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const long long from = a.a.offsets[row] + (long long) row;
        const int to = a.offsets[row];
        for (int k = 0; k < a.offsets[row + 1] - to; k++) {
            a.columns[to + k] = a.more[from + k];
            a.values[to + k] = (REAL) a.z[from + k];
        }
    }
}

// Counts rows that are empty in a or b in counts[0]; lengths get 1 for them, else 0.
extern "C" __global__ void __launch_bounds__(THREADS) countEmpty(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int empty = a.a.offsets[row] == a.a.offsets[row + 1] || a.b.offsets[row] == a.b.offsets[row + 1];
        a.lengths[row] = empty;
        if (empty) {
            atomicAdd(a.counts, 1);
        }
    }
}

// Puts 1 on the diagonal of rows of one entry.
extern "C" __global__ void __launch_bounds__(THREADS) fillOnes(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows && a.offsets[row] < a.offsets[row + 1]) {
        a.columns[a.offsets[row]] = row;
        a.values[a.offsets[row]] = REAL(1);
    }
}

// Inverses of the diagonal, 0 for what has none, to x, and the roots of their absolute values to y.
extern "C" __global__ void __launch_bounds__(THREADS) invertDiagonal(const __grid_constant__ Arguments a) {
    const int row = item();
    if (row < a.rows) {
        const int place = placeOf(a.a.columns, a.a.offsets[row], a.a.offsets[row + 1], row);
        const double inverse = 1 / (place < 0 ? 0.0 : (double) a.a.values[place]);
        const double finite = fabs(inverse) <= 1.7976931348623157e308 ? inverse : 0.0;
        a.x[row] = finite;
        a.y[row] = sqrt(fabs(finite));
    }
}

// Multiplies x by alpha.
extern "C" __global__ void __launch_bounds__(THREADS) scaleVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.x[i] *= a.alpha;
    }
}

// Sets x to alpha.
extern "C" __global__ void __launch_bounds__(THREADS) fillVector(const __grid_constant__ Arguments a) {
    const int i = item();
    if (i < a.rows) {
        a.x[i] = a.alpha;
    }
}
