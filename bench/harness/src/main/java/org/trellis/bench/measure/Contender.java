package org.trellis.bench.measure;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** A way to compute a product that takes part in a measurement: a backend with parameters, or a peer. */
public interface Contender {
    /**
     * Returns who computes.
     *
     * @return the name of the backend or of the peer
     */
    String name();

    /**
     * Returns how it is set to compute.
     *
     * @return names and values, for reports; does not change
     */
    Map<String, Object> parameters();

    /**
     * Returns the type of the values it computes with.
     *
     * @return the precision
     */
    Precision precision();

    /**
     * Returns how many threads it uses.
     *
     * @return at least 1
     */
    int threads();

    /**
     * Prepares its product: converts the matrix and gets vectors of its own. This is timed as preparation.
     *
     * @param matrix the matrix in {@link #precision()}; may be kept, must not be changed
     * @param x      {@code columns} elements in {@link #precision()}; to be copied
     * @return a product that the caller closes
     */
    @MustBeClosed
    TimedProduct prepare(CsrMatrix matrix, HostVector x);

    /**
     * Returns a readable name with parameters.
     *
     * @return for example {@code "simd sell chunkRows=8 f64"}
     */
    default String label() {
        StringBuilder text = new StringBuilder(name());
        parameters().forEach((key, value) -> text.append(' ')
                .append(key.equals("family") || key.equals("variant") ? value : key + "=" + value));
        return text.append(' ').append(precision().label()).toString();
    }
}
