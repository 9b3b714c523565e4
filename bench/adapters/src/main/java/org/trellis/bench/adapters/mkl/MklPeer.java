package org.trellis.bench.adapters.mkl;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.mkl.global.mkl_rt;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Intel MKL through its sparse inspector-executor interface, by the JavaCPP presets. Two variants: one knows that very
 * many products follow and allowed to convert the matrix ({@code optimised}), and without that ({@code plain}).
 */
public final class MklPeer implements Peer {
    private static final String OPTIMISED = "optimised";
    private static final int VERSION_LENGTH = 200;

    /** Creates the adapter. */
    public MklPeer() {}

    @Override
    public String name() {
        return "mkl";
    }

    @Override
    public String version() {
        try (BytePointer text = new BytePointer(VERSION_LENGTH)) {
            text.zero();
            mkl_rt.MKL_Get_Version_String(text, VERSION_LENGTH - 1);
            return text.getString().replaceAll("\\s+for .*", "").strip();
        }
    }

    @Override
    public Availability probe() {
        try {
            return Availability.yes(version());
        } catch (LinkageError | RuntimeException e) {
            // JavaCPP wraps what goes wrong in its own library.
            return Availability.no("the libraries of MKL were not found (" + firstLine(e)
                    + "); `mvn -Pmkl -pl bench/adapters -am package -DskipTests` fetches them, about 180 MB, and "
                    + "`./trellis spmv ... --peer mkl` does so by itself");
        }
    }

    private static String firstLine(Throwable problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("no message");
    }

    @Override
    public List<PeerVariant> variants(Precision precision, int threads) {
        return List.of(new PeerVariant(OPTIMISED, threads), new PeerVariant("plain", threads));
    }

    @Override
    @MustBeClosed
    public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
        mkl_rt.MKL_Set_Dynamic(0);
        mkl_rt.MKL_Set_Num_Threads(variant.threads());
        boolean optimised = variant.name().equals(OPTIMISED);
        return MklProduct.of(matrix, x, optimised, variant.threads());
    }

    @Override
    public boolean multipliesMatrices(Precision precision) {
        return true;
    }

    @Override
    public TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        mkl_rt.MKL_Set_Dynamic(0);
        mkl_rt.MKL_Set_Num_Threads(threads);
        return MklMatrixProduct.of(factors, threads);
    }
}
