package org.trellis.tuner.product.online;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileException;
import org.trellis.tuner.profile.ProfileFile;

/**
 * Tunes products, keeps what was found in a file, and begins with it the next time.
 *
 * <pre>{@code
 * try (TunedProducts products = TunedProducts.open(Path.of("profile.json"))) {
 *     products.tune(matrix);
 *     products.save("my matrices");
 * }
 * }</pre>
 *
 * <p>Not for several threads at once.
 */
public final class TunedProducts implements AutoCloseable {
    private final Backend backend;
    private final ProfileFile file;
    private final TunedMatrices matrices;

    @MustBeClosed
    private TunedProducts(Backend backend, ProfileFile file, Profile known) {
        List<Profile> profiles = new ArrayList<>(List.of(known));
        profiles.addAll(DefaultProfiles.all());
        this.backend = backend;
        this.file = file;
        this.matrices = new TunedMatrices(backend, new Advisor(backend, profiles), TuningSettings.DEFAULT);
    }

    /**
     * Begins with what a file has and with the library's own profiles, on the backend of the host that the
     * configuration names, or the available one of highest priority.
     *
     * @param profile the file; need not be there
     * @return what the caller closes
     * @throws ProfileException if the file is no profile, of a newer version, damaged, or changed by hand
     * @throws IOException      if the file cannot be read
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the backend is closed with what is returned
    public static TunedProducts open(Path profile) throws IOException {
        ProfileFile file = new ProfileFile(profile);
        Profile known = file.load();
        return new TunedProducts(Backends.openHost(Configuration.load()), file, known);
    }

    /**
     * Prepares a product that tunes itself while it is called.
     *
     * @param matrix the matrix; may be kept, must not change
     * @return an operator that the caller closes before this
     */
    @MustBeClosed
    public TunedSpmvOperator prepare(SparseMatrix matrix) {
        return matrices.prepare(matrix);
    }

    /**
     * Tunes a product now, with up to a few hundred products.
     *
     * @param matrix the matrix
     * @return the parameters that were found
     */
    public SpmvParameters tune(SparseMatrix matrix) {
        try (TunedSpmvOperator product = prepare(matrix);
                DenseVector x = backend.vector(matrix.precision(), matrix.columns());
                DenseVector y = backend.vector(matrix.precision(), matrix.rows())) {
            x.copyFrom(HostVector.zeros(matrix.precision(), matrix.columns()).fill(1));
            int most = 2 * TuningSettings.DEFAULT.products();
            for (int i = 0; i < most && !product.isTuned(); i++) {
                product.multiply(x, y);
            }
            return product.parameters();
        }
    }

    /**
     * Adds what was found to the file.
     *
     * @param name a name of the matrices for people
     * @throws ProfileException if the file cannot be used; it stays as it was
     * @throws IOException      if it cannot be read or written; it stays as it was
     */
    public void save(String name) throws IOException {
        file.update(before -> matrices.export(before, name));
    }

    /** Closes the backend. Idempotent. */
    @Override
    public void close() {
        backend.close();
    }

    @Override
    public String toString() {
        return "tuned products of " + file;
    }
}
