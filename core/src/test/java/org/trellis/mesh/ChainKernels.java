package org.trellis.mesh;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.Increment;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Min;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** The kernels of {@link ChainCase}: whole numbers stay whole, so that every order gives the same sums. */
final class ChainKernels {
    private ChainKernels() {}

    @MeshKernel
    static void copy(@Read(2) double[] from, @Write(2) double[] to) {
        to[0] = from[1] - 1;
        to[1] = from[0];
    }

    @MeshKernel
    static void turn(@ReadWrite(2) double[] x) {
        double first = x[0];
        x[0] = 3 - x[1];
        x[1] = first;
    }

    @MeshKernel
    static void add(@Read(2) double[] from, @Increment(2) double[] to) {
        to[0] += from[1];
        to[1] -= 2;
    }

    @MeshKernel
    static void difference(@Read(2) double[] one, @Read(2) double[] other, @Write(2) double[] own) {
        own[0] = one[0] - other[1];
        own[1] = other[0] - one[1];
    }

    @MeshKernel
    static void scatter(@Read(2) double[] own, @Increment(2) double[] one,
            @Increment(value = 2, repeats = "one", sign = -1) double[] other) {
        for (int c = 0; c < 2; c++) {
            one[c] += own[c];
            other[c] -= own[c];
        }
    }

    @MeshKernel
    static void flux(@Read(2) double[] a, @Read(2) double[] b, @Read(2) double[] own, @Increment(2) double[] one,
            @Increment(2) double[] other) {
        one[0] += a[0] - b[0];
        other[1] += own[1];
    }

    @MeshKernel
    static void collect(@Read(value = 2, entries = 3) double[][] around, @Increment(2) double[] own) {
        for (int k = 0; k < 3; k++) {
            own[0] += around[k][1];
            own[1] -= around[k][0];
        }
    }

    @MeshKernel
    static void spread(@Read(2) double[] own, @Increment(value = 2, entries = 3) double[][] around) {
        for (int k = 0; k < 3; k++) {
            around[k][0] += own[0] + k;
            around[k][1] += own[1];
        }
    }

    @MeshKernel
    static void rows(@Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] around, @Write(2) double[] own) {
        double sum = 0;
        for (int k = 0; k < around.length; k++) {
            sum += around[k][0] - around[k][1];
        }
        own[0] = sum;
        own[1] = 1;
    }

    @MeshKernel
    static void measure(@Read(2) double[] x, @Sum double[] sum, @Min double[] least, @Max double[] most) {
        sum[0] += x[0];
        least[0] = Math.min(least[0], x[1]);
        most[0] = Math.max(most[0], x[0]);
    }

    @MeshKernel
    static void number(@Read(2) double[] x, @Read int[] mark, @Increment int[] count, @Sum int[] sum) {
        count[0] += mark[0];
        sum[0] += mark[0] + (x[0] > 0 ? 1 : 0);
    }

    @MeshKernel
    static void shift(@ReadWrite(2) double[] x, @GlobalRead double[] by) {
        x[0] += by[0] > 0 ? 1 : 2;
        x[1] -= by[0] > 5 ? 1 : 3;
    }
}
