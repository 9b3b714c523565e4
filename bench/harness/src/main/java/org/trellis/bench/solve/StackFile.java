package org.trellis.bench.solve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NamedPreconditioners;

/** A solver stack as JSON. What a file does not say is as in the preset that it names, or as by default. */
public final class StackFile {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String FORMAT = "trellis-solver-stack";
    private static final int VERSION = 1;
    private static final String METHOD = "method";
    private static final String METHOD_OPTIONS = "methodOptions";
    private static final String PRECONDITIONER = "preconditioner";
    private static final String PRECONDITIONER_OPTIONS = "preconditionerOptions";
    private static final String CRITERIA = "criteria";
    private static final String MIXED = "mixedPrecision";
    private static final String NULL_SPACE = "nullSpace";
    private static final String CONSTANTS = "constants";
    private static final String RELATIVE = "relativeTolerance";
    private static final String ABSOLUTE = "absoluteTolerance";
    private static final String ITERATIONS = "maximumIterations";
    private static final String DIVERGENCE = "divergenceLimit";
    private static final String TO_FIRST = "toFirstResidual";
    private static final String SECONDS = "maximumSeconds";
    private static final String WINDOW = "stagnationWindow";

    private StackFile() {}

    /**
     * Writes a stack.
     *
     * @param stack the stack
     * @return JSON
     * @throws IllegalStateException if it cannot be written, which is a defect
     */
    public static String write(SolverConfig stack) {
        ObjectNode root = MAPPER.createObjectNode().put("format", FORMAT).put("formatVersion", VERSION);
        root.put(METHOD, stack.method());
        ObjectNode options = root.putObject(METHOD_OPTIONS);
        stack.methodOptions().forEach(options::put);
        root.put(PRECONDITIONER, stack.preconditioner());
        ObjectNode others = root.putObject(PRECONDITIONER_OPTIONS);
        stack.preconditionerOptions().forEach(others::put);
        StoppingCriteria criteria = stack.criteria();
        ObjectNode node = root.putObject(CRITERIA).put(RELATIVE, criteria.relativeTolerance())
                .put(ABSOLUTE, criteria.absoluteTolerance()).put(ITERATIONS, criteria.maximumIterations())
                .put(TO_FIRST, criteria.toFirstResidual()).put(WINDOW, criteria.stagnationWindow());
        putFinite(node, DIVERGENCE, criteria.divergenceLimit());
        putFinite(node, SECONDS, criteria.maximumSeconds());
        root.put(MIXED, stack.mixedPrecision());
        root.put(NULL_SPACE, stack.nullSpaceOfConstants() ? CONSTANTS : null);
        try {
            return MAPPER.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** JSON has no infinity; null stands for no limit. */
    private static void putFinite(ObjectNode node, String key, double value) {
        if (Double.isFinite(value)) {
            node.put(key, value);
        } else {
            node.putNull(key);
        }
    }

    /**
     * Reads a stack.
     *
     * @param file the file
     * @return the stack
     * @throws IOException              if it cannot be read
     * @throws IllegalArgumentException if it is no stack: names the file, the field, and what was expected
     */
    public static SolverConfig read(Path file) throws IOException {
        return parse(Files.readString(file), file.toString());
    }

    /**
     * Reads a stack.
     *
     * @param text JSON
     * @param name where it comes from, for messages
     * @return the stack
     * @throws IllegalArgumentException if it is no stack: names the field, and what was expected
     */
    public static SolverConfig parse(String text, String name) {
        try {
            return of(MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(name + ": no JSON: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    private static SolverConfig of(JsonNode root) {
        if (root == null || !root.isObject()) {
            throw new IllegalArgumentException("expected an object with a method or a preset");
        }
        allow(root, "the file", List.of("format", "formatVersion", "preset", METHOD, METHOD_OPTIONS, PRECONDITIONER,
                PRECONDITIONER_OPTIONS, CRITERIA, MIXED, NULL_SPACE));
        if (root.has("format") && !FORMAT.equals(root.get("format").asText())) {
            throw new IllegalArgumentException("format " + root.get("format") + ", expected \"" + FORMAT + '"');
        }
        if (root.has("formatVersion") && root.get("formatVersion").asInt() != VERSION) {
            throw new IllegalArgumentException("formatVersion " + root.get("formatVersion") + ", expected " + VERSION);
        }
        SolverConfig base = SolverConfig.preset(text(root, "preset", "default"));
        boolean named = root.has(METHOD);
        String method = text(root, METHOD, base.method());
        String preconditioner = text(root, PRECONDITIONER,
                named && !method.equals(base.method()) ? byDefault(method) : base.preconditioner());
        JsonNode nullSpace = root.get(NULL_SPACE);
        if (nullSpace != null && !nullSpace.isNull() && !CONSTANTS.equals(nullSpace.asText())) {
            throw new IllegalArgumentException("nullSpace " + nullSpace + ", expected \"constants\" or null");
        }
        boolean constants = nullSpace == null ? base.nullSpaceOfConstants() : !nullSpace.isNull();
        return new SolverConfig(method, options(root, METHOD_OPTIONS, named ? Map.of() : base.methodOptions()),
                preconditioner,
                options(root, PRECONDITIONER_OPTIONS,
                        root.has(PRECONDITIONER) ? Map.of() : base.preconditionerOptions()),
                criteria(root.get(CRITERIA), base.criteria()), flag(root, MIXED, base.mixedPrecision()), constants);
    }

    private static String byDefault(String method) {
        return switch (method) {
            case SolverConfig.AUTO -> SolverConfig.AUTO;
            case SolverConfig.MULTIGRID -> NamedPreconditioners.AMG;
            default -> "none";
        };
    }

    private static void allow(JsonNode node, String where, List<String> known) {
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new IllegalArgumentException("field '" + field + "' of " + where + ", expected one of "
                        + String.join(", ", known));
            }
        });
    }

    private static String text(JsonNode node, String key, String otherwise) {
        JsonNode value = node.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!value.isTextual()) {
            throw new IllegalArgumentException("field '" + key + "' is " + value + ", expected a text");
        }
        return value.asText();
    }

    private static boolean flag(JsonNode node, String key, boolean otherwise) {
        JsonNode value = node.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw new IllegalArgumentException("field '" + key + "' is " + value + ", expected true or false");
        }
        return value.asBoolean();
    }

    private static Map<String, String> options(JsonNode root, String key, Map<String, String> otherwise) {
        JsonNode node = root.get(key);
        if (node == null) {
            return otherwise;
        }
        if (!node.isObject()) {
            throw new IllegalArgumentException("field '" + key + "' is " + node + ", expected an object");
        }
        Map<String, String> options = new TreeMap<>();
        node.properties().forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
        return options;
    }

    private static StoppingCriteria criteria(JsonNode node, StoppingCriteria base) {
        if (node == null) {
            return base;
        }
        allow(node, CRITERIA, List.of(RELATIVE, ABSOLUTE, ITERATIONS, DIVERGENCE, TO_FIRST, SECONDS, WINDOW));
        return new StoppingCriteria(number(node, RELATIVE, base.relativeTolerance()),
                number(node, ABSOLUTE, base.absoluteTolerance()), whole(node, ITERATIONS, base.maximumIterations()),
                number(node, DIVERGENCE, base.divergenceLimit()), flag(node, TO_FIRST, base.toFirstResidual()),
                number(node, SECONDS, base.maximumSeconds()), whole(node, WINDOW, base.stagnationWindow()));
    }

    private static double number(JsonNode node, String key, double otherwise) {
        JsonNode value = node.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value.isNull()) {
            return Double.POSITIVE_INFINITY;
        }
        if (!value.isNumber()) {
            throw new IllegalArgumentException("field '" + key + "' is " + value + ", expected a number");
        }
        return value.asDouble();
    }

    private static int whole(JsonNode node, String key, int otherwise) {
        JsonNode value = node.get(key);
        if (value == null) {
            return otherwise;
        }
        if (!value.canConvertToExactIntegral() || !value.canConvertToInt()) {
            throw new IllegalArgumentException("field '" + key + "' is " + value + ", expected a whole number");
        }
        return value.asInt();
    }
}
