package org.trellis.mesh;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.Constant;
import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.Increment;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Min;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** The kernels of {@link LoopCases}: whole numbers go in and come out, so that every order gives the same sums. */
final class CaseKernels {
    private CaseKernels() {}

    @MeshKernel
    static void flux(@Read(2) double[] a, @Read(2) double[] b, @Read double[] weight, @Constant double scale,
            @Increment(2) double[] gain, @Increment(value = 2, repeats = "gain", sign = -1) double[] loss) {
        for (int c = 0; c < 2; c++) {
            double flux = scale * weight[0] * (a[c] - b[c]);
            gain[c] += flux;
            loss[c] -= flux;
        }
    }

    @MeshKernel
    static void spread(@Read double[] weight, @Read(value = 2, entries = 3) double[][] from,
            @Increment(value = 3, entries = 3) double[][] to) {
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                to[k][c] += from[(k + 1) % 3][c % 2] + c * weight[0];
            }
        }
    }

    @MeshKernel
    static void rows(@Read double[] weight, @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] from,
            @Increment(value = 2, entries = ArgumentSignature.VARIABLE) double[][] to) {
        for (int k = 0; k < from.length; k++) {
            to[k][0] += weight[0] + from[k][1];
            to[k][1] -= k;
        }
    }

    @MeshKernel
    static void update(@Read double[] weight, @ReadWrite(3) double[] x, @Write double[] out,
            @GlobalRead(2) double[] factors, @Sum double[] sum, @Min double[] least, @Max double[] most) {
        x[0] += factors[1] * weight[0];
        out[0] = x[2] - x[1];
        sum[0] += x[0];
        least[0] = Math.min(least[0], x[1]);
        if (x[1] > x[2]) {
            most[0] = Math.max(most[0], x[1]);
        }
    }

    @MeshKernel
    static void whole(@Read int[] mark, @Increment int[] first, @Increment int[] second, @Sum int[] sum,
            @Min int[] least, @Max int[] most) {
        first[0] += mark[0];
        second[0] += 1;
        sum[0] += mark[0];
        least[0] = Math.min(least[0], mark[0]);
        most[0] = Math.max(most[0], mark[0]);
    }

    @MeshKernel
    static void own(@Increment double[] mine, @Increment double[] other) {
        mine[0] += 3;
        other[0] += 5;
    }

    @MeshKernel
    static void pull(@Read(2) double[] from, @Write double[] to) {
        to[0] = from[0] + from[1];
    }

    @MeshKernel
    static void couple(@Read double[] weight, @Read(value = 1, entries = 3) double[][] x,
            @Read(value = 1, entries = 2) double[][] y, @Increment(value = 1, entries = 6) double[][] matrix) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 2; j++) {
                matrix[2 * i + j][0] += weight[0] * x[i][0] - y[j][0] + j;
            }
        }
    }

    /** An element becomes a mean of itself and half its neighbours. */
    @MeshKernel
    static void relax(@ReadWrite double[] x,
            @Read(value = 1, entries = ArgumentSignature.VARIABLE) double[][] around) {
        double sum = x[0];
        double count = 1;
        for (int k = 0; k < around.length; k++) {
            sum += 0.5 * around[k][0];
            count += 1;
        }
        x[0] = sum / count;
    }
}
