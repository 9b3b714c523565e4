package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The JSON document about eigenvalues and singular values. */
public final class EigenDocument {
    private EigenDocument() {}

    /**
     * What was found of a matrix.
     *
     * @param matrix    its name
     * @param summary   method and counts in words
     * @param real      real parts of eigenvalues, or singular values
     * @param imaginary imaginary parts
     * @param residuals of each
     * @param limits    what each residual may be at most
     * @param products  how many there were
     * @param restarts  likewise
     * @param converged how many residuals are within their limits
     * @param seconds   everything included
     * @param processorSeconds of the thread that searches
     */
    public record Result(String matrix, String summary, double[] real, double[] imaginary, double[] residuals,
            double[] limits, int products, int restarts, int converged, double seconds, double processorSeconds) {
        /**
         * Adds the processor time.
         *
         * @param taken in seconds
         * @return a copy
         */
        public Result taking(double taken) {
            return new Result(matrix, summary, real, imaginary, residuals, limits, products, restarts, converged,
                    seconds, taken);
        }
    }

    /**
     * A matrix of which nothing was found.
     *
     * @param matrix  its name
     * @param message why not
     */
    public record Failure(String matrix, String message) {}

    /**
     * Writes results as JSON.
     *
     * @param provenance what they come from
     * @param results    of the matrices
     * @param failures   those of which nothing was found
     * @return the document
     */
    public static String of(Provenance provenance, List<Result> results, List<Failure> failures) {
        ObjectNode root = JsonReport.mapper().createObjectNode();
        root.put("format", "trellis-eigenvalues");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, provenance);
        ArrayNode all = root.putArray("results");
        for (Result result : results) {
            ObjectNode node = all.addObject().put("matrix", result.matrix()).put("summary", result.summary())
                    .put("products", result.products()).put("restarts", result.restarts())
                    .put("converged", result.converged()).put("seconds", result.seconds())
                    .put("processorSeconds", result.processorSeconds());
            ArrayNode values = node.putArray("values");
            for (int k = 0; k < result.real().length; k++) {
                values.addObject().put("real", result.real()[k]).put("imaginary", result.imaginary()[k])
                        .put("residual", result.residuals()[k]).put("limit", result.limits()[k]);
            }
        }
        ArrayNode failed = root.putArray("failures");
        failures.forEach(one -> failed.addObject().put("matrix", one.matrix()).put("message", one.message()));
        return JsonReport.write(root);
    }
}
