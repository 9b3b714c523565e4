package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.model.TreeEnsemble;

/** Models as objects of a file: names, parameters and the arrays of the trees. */
final class ModelNodes {
    private static final int UNSIGNED = 0xff;
    /** The only kind of model so far. */
    private static final String KIND = "trees-log-slowdown";

    private ModelNodes() {}

    static ObjectNode write(SpmvModel model, int device) {
        ObjectNode node = ProfileFormat.emptyObject();
        node.put("device", device);
        node.put("kind", KIND);
        model.featureNames().forEach(node.putArray("features")::add);
        ArrayNode candidates = node.putArray("candidates");
        model.candidates().forEach(parameters -> candidates.add(ConfigurationNodes.write(parameters)));
        TreeEnsemble trees = model.trees();
        ObjectNode arrays = node.putObject("trees");
        putIntegers(arrays.putArray("roots"), trees.roots());
        putIntegers(arrays.putArray("feature"), trees.features());
        ArrayNode thresholds = arrays.putArray("threshold");
        for (double threshold : trees.thresholds()) {
            thresholds.add(threshold);
        }
        putIntegers(arrays.putArray("child"), trees.children());
        ArrayNode leaves = arrays.putArray("leaves");
        for (byte number : trees.leaves()) {
            leaves.add(number & UNSIGNED);
        }
        arrays.put("leafStep", trees.leafStep());
        return node;
    }

    private static void putIntegers(ArrayNode list, int... numbers) {
        for (int number : numbers) {
            list.add(number);
        }
    }

    static SpmvModel read(ObjectNode node) {
        if (!node.path("kind").asText().equals(KIND)) {
            throw new IllegalArgumentException(
                    "a model of the kind " + node.get("kind") + ", expected \"" + KIND + '"');
        }
        List<String> features = new ArrayList<>();
        list(node, "features").forEach(name -> features.add(name.asText()));
        List<SpmvParameters> candidates = new ArrayList<>();
        for (JsonNode candidate : list(node, "candidates")) {
            if (!(candidate instanceof ObjectNode object)) {
                throw new IllegalArgumentException("candidate " + candidate + ", expected an object");
            }
            candidates.add(SpmvParameters.fromMap(ConfigurationNodes.read(object)));
        }
        if (!(node.get("trees") instanceof ObjectNode arrays)) {
            throw new IllegalArgumentException("trees are " + node.get("trees") + ", expected an object");
        }
        int[] numbers = integers(list(arrays, "leaves"));
        byte[] leaves = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0 || numbers[i] > UNSIGNED) {
                throw new IllegalArgumentException("a leaf has " + numbers[i] + ", expected 0 to " + UNSIGNED);
            }
            leaves[i] = (byte) numbers[i];
        }
        ArrayNode thresholdNodes = list(arrays, "threshold");
        double[] thresholds = new double[thresholdNodes.size()];
        forEach(thresholdNodes, i -> thresholds[i] = number(thresholdNodes.get(i)));
        return new SpmvModel(features, candidates, new TreeEnsemble(features.size(), candidates.size(),
                integers(list(arrays, "roots")), integers(list(arrays, "feature")), thresholds,
                integers(list(arrays, "child")), leaves, number(arrays.path("leafStep"))));
    }

    private static void forEach(ArrayNode list, IntConsumer action) {
        for (int i = 0; i < list.size(); i++) {
            action.accept(i);
        }
    }

    private static ArrayNode list(ObjectNode node, String key) {
        if (node.get(key) instanceof ArrayNode found) {
            return found;
        }
        throw new IllegalArgumentException(key + " is " + node.get(key) + ", expected a list");
    }

    private static int[] integers(ArrayNode list) {
        int[] numbers = new int[list.size()];
        forEach(list, i -> {
            if (!list.get(i).isInt()) {
                throw new IllegalArgumentException("a tree has " + list.get(i) + ", expected a whole number");
            }
            numbers[i] = list.get(i).intValue();
        });
        return numbers;
    }

    private static double number(JsonNode node) {
        if (!node.isNumber()) {
            throw new IllegalArgumentException("a tree has " + node + ", expected a number");
        }
        return node.doubleValue();
    }
}
