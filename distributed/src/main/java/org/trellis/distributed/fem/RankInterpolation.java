package org.trellis.distributed.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.exchange.SumExchange;
import org.trellis.fem.FormRanks;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;

/**
 * An interpolation between vectors of ranks. Up, what rows need of other ranks is brought before the product; down, the
 * transposed rows make contributions, of which those to unknowns of other ranks are added there.
 */
final class RankInterpolation implements FormRanks.Transfer {
    private static final int BRING = 0;
    private static final int ADD = 1;

    private final Communicator group;
    private final ElementKernels elements;
    private final MemorySpace place;
    private final int fine;
    private final int coarse;
    private final Precision precision;
    private final LinearOperator product;
    private final LinearOperator transposed;
    private final Exchange exchange;
    private final SumExchange sums;
    private final DenseVector local;
    private final DenseVector own;
    private final DenseVector result;
    private final DatStorage storage;
    private final Up up = new Up();
    private final Down down = new Down();

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    RankInterpolation(RankForms forms, FormRanks.Numbers fine, FormRanks.Numbers coarse, CsrMatrix rows) {
        this.group = forms.communicator().split(0, forms.rank());
        this.elements = forms.elements();
        this.place = forms.own().device().space();
        this.fine = fine.owned();
        this.coarse = coarse.owned();
        this.precision = rows.precision();
        int[] numbers = numbers(coarse, rows);
        ExchangePattern links = RankForms.links(group, coarse.total(), numbers, coarse.owned());
        this.exchange = Exchange.of(group, BRING).part(0, links, 1, ScalarType.of(precision)).open(forms.carrier());
        this.sums = SumExchange.of(group, ADD, forms.carrier(), links, precision, coarse.owned());
        CsrMatrix ours = rows.selectColumns(numbers);
        SparseKernels kernels = forms.own().kernels(SparseKernels.class);
        this.product = kernels.prepare(ours);
        this.transposed = kernels.prepare(ours.transpose());
        this.local = forms.own().vector(precision, numbers.length);
        this.own = local.part(0, coarse.owned());
        this.result = forms.own().vector(precision, coarse.owned());
        this.storage = forms.own().kernels(LoopKernels.class).wrap(local);
        exchange.bind(0, storage);
    }

    /** Lists the coarse unknowns that this rank owns, and then what else its rows have, rising. */
    private static int[] numbers(FormRanks.Numbers coarse, CsrMatrix rows) {
        boolean[] owned = new boolean[coarse.total()];
        for (int k = 0; k < coarse.owned(); k++) {
            owned[coarse.numbers()[k]] = true;
        }
        int[] columns = rows.onlySegment().columnIndices();
        IntStream others = Arrays.stream(columns, 0, Math.toIntExact(rows.nonZeros())).filter(column -> !owned[column])
                .sorted().distinct();
        return IntStream.concat(Arrays.stream(coarse.numbers(), 0, coarse.owned()), others).toArray();
    }

    @Override
    public LinearOperator up() {
        return up;
    }

    @Override
    public LinearOperator down() {
        return down;
    }

    /** From coarse to fine. */
    private final class Up extends CheckedOperator {
        @Override
        public VectorSpace domain() {
            return VectorSpace.of(coarse, precision, place);
        }

        @Override
        public VectorSpace range() {
            return VectorSpace.of(fine, precision, place);
        }

        @Override
        protected ElementKernels elements() {
            return elements;
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            elements.update(1, null, x, 0, own);
            exchange.start();
            exchange.finish();
            product.apply(alpha, local, beta, y);
        }

        @Override
        protected void release() {
            // closed with the interpolation
        }

        @Override
        public String toString() {
            return "interpolation over ranks by " + product;
        }
    }

    /** From fine to coarse. */
    private final class Down extends CheckedOperator {
        @Override
        public VectorSpace domain() {
            return VectorSpace.of(fine, precision, place);
        }

        @Override
        public VectorSpace range() {
            return VectorSpace.of(coarse, precision, place);
        }

        @Override
        protected ElementKernels elements() {
            return elements;
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            transposed.apply(x, local);
            sums.start(storage);
            sums.finish(own, result);
            elements.update(alpha, null, result, beta, y);
        }

        @Override
        protected void release() {
            // closed with the interpolation
        }

        @Override
        public String toString() {
            return "transposed interpolation over ranks by " + transposed;
        }
    }

    @Override
    public void close() {
        sums.close();
        exchange.close();
        product.close();
        transposed.close();
        result.close();
        local.close();
        group.close();
    }
}
