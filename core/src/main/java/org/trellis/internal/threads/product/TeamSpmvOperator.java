package org.trellis.internal.threads.product;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.internal.threads.team.UnitTask;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.internal.threads.vector.ThreadsElementKernels;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseFormat;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * A product that a worker team runs. The first transposed product prepares the transpose, which costs a transposition,
 * a conversion and the memory of both; later ones cost what a product costs. Several vectors are multiplied from the
 * compressed sparse rows.
 */
public final class TeamSpmvOperator extends SpmvOperator {
    /** How the parts of this operator, and those it makes later, are prepared. */
    public interface Preparation {
        /**
         * Prepares the product with one vector.
         *
         * @param matrix     the matrix
         * @param parameters how to run it
         * @return its parts, which together have all rows
         */
        List<PreparedProduct> single(CsrMatrix matrix, SpmvParameters parameters);

        /**
         * Prepares the product with several vectors.
         *
         * @param matrix the matrix
         * @param count  number of vectors
         * @return its parts, which together have all rows
         */
        List<PreparedProduct> multiple(CsrMatrix matrix, int count);

        /**
         * Prepares several forms of the product, of which one runs at a time.
         *
         * @param matrix     the matrix
         * @param parameters how to run it
         * @return what chooses among them; empty, unless overridden, if {@link #single} has the only form
         */
        default Optional<Chooser> chooser(CsrMatrix matrix, SpmvParameters parameters) {
            return Optional.empty();
        }

        /**
         * Prepares the transposed product.
         *
         * @param transpose the transpose
         * @return an operator of it
         */
        @MustBeClosed
        SpmvOperator transposed(CsrMatrix transpose);
    }

    /** Chooses the form in which the next product runs. All forms give the same bits. */
    public interface Chooser {
        /**
         * Returns the form of the next product.
         *
         * @return its parts, which together have all rows
         */
        List<PreparedProduct> next();

        /**
         * Says whether the next product is to be timed. Called once for each product.
         *
         * @return false if {@link #done} is not to be called after it
         */
        boolean isTimed();

        /**
         * Learns that a product that is timed is done.
         *
         * @param x           the operand, which may be read during this call
         * @param nanoseconds how long it took
         */
        void done(HostVector x, long nanoseconds);

        /**
         * Says whether a form has been taken.
         *
         * @return false while forms are tried out for the first time
         */
        boolean isSettled();
    }

    /** Instead of the time at which a product begins that is not timed. */
    private static final long UNTIMED = Long.MIN_VALUE;

    private final WorkerTeam team;
    private final Preparation preparation;
    private final ElementKernels elements;
    private CsrMatrix csr;
    private Chooser chooser;
    private final ProductTask task = new ProductTask();
    private List<PreparedProduct> parts;
    private FusedDot dot;
    private List<PreparedProduct> multiple = List.of();
    private int multipleCount;
    private SpmvOperator transposed;

    /** A product as a task of the team. There is one, with operands that change, so that products allocate nothing. */
    private final class ProductTask implements UnitTask {
        private PreparedProduct product;
        private double alpha;
        private HostVector from;
        private double beta;
        private HostVector to;
        /** The other operand of the dot product, or null for none. */
        private HostVector with;
        private int number;

        void run(PreparedProduct one, double factor, HostVector x, double keep, HostVector y) {
            product = one;
            alpha = factor;
            from = x;
            beta = keep;
            to = y;
            team.run(product.units(), this);
            product.finish(alpha, beta, to);
        }

        void runAndDot(int part, double factor, HostVector x, double keep, HostVector y, HostVector w) {
            number = part;
            with = w;
            try {
                run(parts.get(part), factor, x, keep, y);
            } finally {
                with = null;
            }
        }

        @Override
        public void run(int unit) {
            product.run(unit, alpha, from, beta, to);
            if (with != null) {
                dot.add(number, unit, with, to);
            }
        }
    }

    /**
     * Prepares a product.
     *
     * @param matrix      the matrix, in any format
     * @param parameters  how to run it
     * @param team        the threads
     * @param preparation prepares the parts
     */
    @MustBeClosed
    public TeamSpmvOperator(SparseMatrix matrix, SpmvParameters parameters, WorkerTeam team, Preparation preparation) {
        super(matrix, parameters, MemorySpace.HOST);
        this.team = team;
        this.preparation = preparation;
        this.elements = new ThreadsElementKernels(team);
        prepare(matrix.toCsr());
    }

    private void prepare(CsrMatrix compressed) {
        Chooser choosing = preparation.chooser(compressed, parameters()).orElse(null);
        List<PreparedProduct> prepared =
                choosing == null ? preparation.single(compressed, parameters()) : choosing.next();
        csr = compressed;
        chooser = choosing;
        take(prepared);
    }

    private void take(List<PreparedProduct> next) {
        parts = next;
        dot = FusedDot.of(next, csr.rows());
    }

    @Override
    public long preparedBytes() {
        return parts.stream().mapToLong(PreparedProduct::bytes).sum();
    }

    @Override
    public boolean isSettled() {
        return chooser == null || chooser.isSettled();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    /** Sorts the new values in as the old ones were; the structure decides where they go. */
    @Override
    protected void replaceValues(DenseVector values) {
        SparseMatrix next = matrix().withValues((HostVector) values);
        prepare(next.toCsr());
        replaceMatrix(() -> next);
        multiple = List.of();
        multipleCount = 0;
        if (transposed != null) {
            transposed.close();
            transposed = null;
        }
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        HostVector from = ContiguousOperands.toRead((HostVector) x);
        long start = begin();
        run(parts, alpha, from, beta, (HostVector) y);
        end(from, start);
    }

    /** Finds the array once, not in each run. */
    @Override
    protected DenseVector bound(DenseVector operand) {
        HostVector vector = (HostVector) operand;
        return vector.offset() == 0 ? ContiguousOperands.toRead(vector) : vector;
    }

    /** Takes the form that is chosen for the next product, and the time of its beginning if it is timed. */
    private long begin() {
        if (chooser == null) {
            return UNTIMED;
        }
        List<PreparedProduct> next = chooser.next();
        if (next != parts) {
            take(next);
        }
        return chooser.isTimed() ? System.nanoTime() : UNTIMED;
    }

    private void end(HostVector x, long start) {
        if (start != UNTIMED) {
            chooser.done(x, System.nanoTime() - start);
        }
    }

    private void run(List<PreparedProduct> products, double alpha, HostVector from, double beta, HostVector y) {
        HostVector to = ContiguousOperands.toWrite(y);
        for (int p = 0; p < products.size(); p++) {
            task.run(products.get(p), alpha, from, beta, to);
        }
        ContiguousOperands.giveBack(to, y);
    }

    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        if (((HostVector) y).offset() != 0) {
            super.runAndDot(alpha, x, beta, y, w, result, at);
            return;
        }
        HostVector from = ContiguousOperands.toRead((HostVector) x);
        HostVector to = ContiguousOperands.toWrite((HostVector) y);
        HostVector with = (HostVector) w;
        long start = begin();
        for (int p = 0; p < parts.size(); p++) {
            task.runAndDot(p, alpha, from, beta, to, with);
        }
        double sum = dot.sum(team, with, to);
        end(from, start);
        ((HostVector) result).set(at, sum);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (matrix().format() == SparseFormat.SYMMETRIC) {
            run(alpha, x, beta, y);
            return;
        }
        if (transposed == null) {
            transposed = preparation.transposed(csr.transpose());
        }
        runChecked(transposed, alpha, x, beta, y);
    }

    @Override
    protected void runMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
        if (multipleCount != x.count()) {
            multiple = preparation.multiple(csr, x.count());
            multipleCount = x.count();
        }
        run(multiple, alpha, ContiguousOperands.toRead((HostVector) x.storage()), beta, (HostVector) y.storage());
    }

    @Override
    protected void release() {
        chooser = null;
        parts = List.of();
        multiple = List.of();
        if (transposed != null) {
            transposed.close();
        }
    }
}
