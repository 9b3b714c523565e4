package org.trellis.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.online.TunedMatrices;
import org.trellis.tuner.product.online.TunedSpmvOperator;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;

/** Tunes a product within the calls of a program, keeps what was learnt in a file, and begins with it the next time. */
public final class E06KeepWhatWasLearnt {
    private static final int PRODUCTS = 60;

    private E06KeepWhatWasLearnt() {}

    /**
     * Runs the example.
     *
     * @param arguments the file of the profile; trellis-profile.json if there is none
     * @throws IOException if the profile cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments.length > 0 ? arguments[0] : "trellis-profile.json");
        Profile known = Files.exists(file) ? Profile.read(file) : Profile.empty();
        CsrMatrix matrix = MatrixSpec.parse("poisson2d:nx=60,ny=60").generate(Precision.F64, ProgressListener.NONE);
        HostVector x = HostVector.of(Precision.F64, matrix.columns(), i -> 1);
        HostVector y = HostVector.zeros(Precision.F64, matrix.rows());
        try (Backend backend = Backends.open("threads", Configuration.load())) {
            Advisor advisor = new Advisor(backend, List.of(known));
            System.out.println("the first guess comes from: " + advisor.advise(matrix).origin());
            TunedMatrices matrices = new TunedMatrices(backend, advisor, TuningSettings.DEFAULT);
            try (TunedSpmvOperator product = matrices.prepare(matrix)) {
                for (int i = 0; i < PRODUCTS; i++) {
                    product.multiply(x, y);
                }
            }
            new ProfileFile(file).update(before -> matrices.export(before, "poisson2d 60 x 60"));
        }
        System.out.println("matrices in the profile: " + Profile.read(file).matrices().size());
    }
}
