/*
 * Exchanges messages between two ranks as the channels of module distributed do: persistent requests, packed and
 * unpacked doubles. Linked into a library that the test program loads, so that both are timed in one run.
 *
 *     mpicc -O2 -shared -fPIC -o libexchange.so exchange.c
 */
#include <mpi.h>
#include <stdlib.h>

/*
 * Returns the seconds of one exchange, the mean of many in a row. Each rank sends every stride-th of its elements to
 * the other, and takes what comes in behind them; the sum of these is left in *sum.
 */
double exchange_seconds(int elements, int stride, int repetitions, double *sum) {
    int rank;
    double *vector = malloc(sizeof(double) * elements * (stride + 1));
    double *outgoing = malloc(sizeof(double) * elements);
    double *incoming = malloc(sizeof(double) * elements);
    int *places = malloc(sizeof(int) * elements);
    MPI_Request receive;
    MPI_Request send;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < elements * stride; i++) {
        vector[i] = rank + i;
    }
    for (int i = 0; i < elements; i++) {
        places[i] = i * stride;
    }
    MPI_Recv_init(incoming, elements * (int) sizeof(double), MPI_BYTE, 1 - rank, 17, MPI_COMM_WORLD, &receive);
    MPI_Send_init(outgoing, elements * (int) sizeof(double), MPI_BYTE, 1 - rank, 17, MPI_COMM_WORLD, &send);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int r = 0; r < repetitions; r++) {
        MPI_Start(&receive);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        for (int i = 0; i < elements; i++) {
            outgoing[i] = vector[places[i]];
        }
        MPI_Start(&send);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        for (int i = 0; i < elements; i++) {
            vector[elements * stride + i] = incoming[i];
        }
    }
    double seconds = (MPI_Wtime() - began) / repetitions;
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    *sum = 0;
    for (int i = 0; i < elements; i++) {
        *sum += vector[elements * stride + i];
    }
    free(vector);
    free(outgoing);
    free(incoming);
    free(places);
    return seconds;
}
