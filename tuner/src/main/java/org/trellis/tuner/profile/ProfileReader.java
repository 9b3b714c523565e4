package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.trellis.common.Precision;
import org.trellis.common.PrintableText;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.model.SpmvModel;

/** Reads the parts of a profile, all of them or none. What it does not know it leaves alone. */
final class ProfileReader {
    /** Whether finite elements are there, which know what their configurations may be; without them these are kept. */
    private static final boolean HAS_FORMS = isPresent("org.trellis.fem.FormChoice");

    private final String name;
    private final ObjectNode root;
    private final List<TuningDevice> devices = new ArrayList<>();
    private final Map<Fingerprint, Profile.Matrix> matrices = new LinkedHashMap<>();
    private final Map<Fingerprint, SystemFeatures> systems = new LinkedHashMap<>();
    private final Map<LoopFingerprint, LoopFeatures> loops = new LinkedHashMap<>();
    private final Map<Integer, SpmvModel> models = new LinkedHashMap<>();
    private final List<Profile.Entry> entries = new ArrayList<>();

    ProfileReader(String name, ObjectNode root) {
        this.name = name;
        this.root = root;
    }

    Profile read() {
        ObjectNode extension = (ObjectNode) root.get(ProfileFormat.EXTENSION);
        readDevices(array(extension, "trellis.devices", "devices"));
        readMatrices(extension.get("matrices"));
        if (extension.has("loops")) {
            readLoops(extension.get("loops"));
        }
        readModels(array(extension, "trellis.models", "models"));
        ArrayNode results = array(root, "results", "results");
        for (int i = 0; i < results.size(); i++) {
            entries.add(entry("results[" + i + ']', results.get(i)));
        }
        return new Profile(root, devices, new Profile.Subjects(matrices, systems, loops), models, entries);
    }

    private ProfileException problem(String place, String what, Throwable cause) {
        return new ProfileException(name + ": " + place + ": " + what, cause);
    }

    private <T> T at(String place, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException | DateTimeException e) {
            throw problem(place, e.getMessage(), e);
        }
    }

    private ArrayNode array(ObjectNode parent, String place, String key) {
        JsonNode found = parent.get(key);
        if (found instanceof ArrayNode list) {
            return list;
        }
        throw problem(place, "is " + kind(found) + ", expected a list", null);
    }

    private ObjectNode object(JsonNode found, String place) {
        if (found instanceof ObjectNode node) {
            return node;
        }
        throw problem(place, "is " + kind(found) + ", expected an object", null);
    }

    private static String kind(JsonNode found) {
        return found == null
                ? "missing"
                : found.isContainerNode()
                        ? "a list or an object"
                        : PrintableText.cut(found.toString(), PrintableText.LONGEST_QUOTE);
    }

    private String text(ObjectNode parent, String place, String key) {
        JsonNode found = parent.get(key);
        if (found == null || !found.isTextual()) {
            throw problem(place + '.' + key, "is " + kind(found) + ", expected a string", null);
        }
        return found.textValue();
    }

    private void readDevices(ArrayNode list) {
        for (int i = 0; i < list.size(); i++) {
            String place = "trellis.devices[" + i + ']';
            ObjectNode node = object(list.get(i), place);
            Map<String, String> properties = new TreeMap<>();
            object(node.get("properties"), place + ".properties").properties()
                    .forEach(property -> properties.put(property.getKey(), property.getValue().asText()));
            devices.add(new TuningDevice(text(node, place, "backend"), text(node, place, "name"), properties));
        }
    }

    private void readMatrices(JsonNode found) {
        object(found, "trellis.matrices").properties().forEach(member -> {
            String place = "trellis.matrices." + member.getKey();
            ObjectNode node = object(member.getValue(), place);
            Fingerprint fingerprint = at(place, () -> new Fingerprint(member.getKey()));
            Map<String, Number> numbers = numbers(node.get("features"), place + ".features");
            matrices.put(fingerprint, new Profile.Matrix(text(node, place, "name"),
                    at(place + ".features", () -> MatrixFeatures.fromMap(numbers))));
            if (node.has(ProfileNodes.SYSTEM)) {
                String there = place + '.' + ProfileNodes.SYSTEM;
                Map<String, Number> values = numbers(node.get(ProfileNodes.SYSTEM), there);
                systems.put(fingerprint, at(there, () -> SystemFeatures.fromMap(values)));
            }
        });
    }

    private Map<String, Number> numbers(JsonNode found, String place) {
        Map<String, Number> numbers = new LinkedHashMap<>();
        object(found, place).properties().forEach(feature -> {
            if (feature.getValue().isNumber()) {
                numbers.put(feature.getKey(), feature.getValue().numberValue());
            }
        });
        return numbers;
    }

    private void readLoops(JsonNode found) {
        object(found, "trellis.loops").properties().forEach(member -> {
            String place = "trellis.loops." + member.getKey();
            ObjectNode node = object(member.getValue(), place);
            LoopFingerprint fingerprint = at(place, () -> new LoopFingerprint(member.getKey()));
            Map<String, Integer> sizes = new LinkedHashMap<>();
            object(node.get("sizes"), place + ".sizes").properties().forEach(size -> {
                if (!size.getValue().isInt() || size.getValue().intValue() < 0) {
                    throw problem(place + ".sizes." + size.getKey(), "is " + kind(size.getValue())
                            + ", expected a whole number from 0", null);
                }
                sizes.put(size.getKey(), size.getValue().intValue());
            });
            List<String> arguments = new ArrayList<>();
            array(node, place + ".arguments", "arguments").forEach(argument -> arguments.add(argument.asText()));
            Precision precision = at(place + ".precision", () -> Precision.of(text(node, place, "precision")));
            loops.put(fingerprint, at(place, () -> new LoopFeatures(text(node, place, "kernel"),
                    text(node, place, "set"), sizes, precision, arguments, text(node, place, "order"))));
        });
    }

    private void readModels(ArrayNode list) {
        for (int i = 0; i < list.size(); i++) {
            String place = "trellis.models[" + i + ']';
            ObjectNode node = object(list.get(i), place);
            int device = device(node, place);
            if (models.put(device, at(place, () -> ModelNodes.read(node))) != null) {
                throw problem(place, "is a second model of device " + device + ", expected one", null);
            }
        }
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, ProfileReader.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private int device(ObjectNode node, String place) {
        JsonNode found = node.get("device");
        if (found == null || !found.isInt() || found.intValue() < 0 || found.intValue() >= devices.size()) {
            throw problem(place + ".device", "is " + kind(found) + ", expected a number from 0 to "
                    + (devices.size() - 1), null);
        }
        return found.intValue();
    }

    private Profile.Entry entry(String place, JsonNode item) {
        ObjectNode node = object(item, place);
        ObjectNode own = object(node.get(ProfileFormat.EXTENSION), place + ".trellis");
        Invalidity invalidity = at(place, () -> Invalidity.of(text(node, place, "invalidity")));
        ObjectNode times = object(node.get("times"), place + ".times");
        Instant timestamp = at(place + ".timestamp", () -> Instant.parse(text(node, place, "timestamp")));
        JsonNode compilation = times.get("compilation_time");
        if (compilation != null && !compilation.isNumber()) {
            throw problem(place + ".times.compilation_time", "is " + kind(compilation) + ", expected a number", null);
        }
        double prepare = compilation == null ? 0 : compilation.doubleValue();
        double[] runtimes = numbers(array(times, place + ".times.runtimes", "runtimes"), place + ".times.runtimes");
        Map<String, Object> configuration =
                ConfigurationNodes.read(object(node.get("configuration"), place + ".configuration"));
        int device = device(own, place + ".trellis");
        if (own.has("loop")) {
            LoopFingerprint loop = loop(own, place + ".trellis");
            LoopParameters parameters =
                    at(place + ".configuration", () -> LoopParameters.fromMap(configuration));
            return new Profile.Entry(device, at(place + ".times",
                    () -> new LoopResult(loop, parameters, runtimes, prepare, invalidity, timestamp)));
        }
        if (own.has("element")) {
            FormResult result = at(place, () -> new FormResult(formSetting(own, place + ".trellis"), configuration,
                    runtimes, prepare, invalidity, timestamp));
            if (HAS_FORMS) {
                at(place + ".configuration", result::choice);
            }
            return new Profile.Entry(device, result);
        }
        Fingerprint matrix = matrix(own, place + ".trellis");
        Precision precision = at(place + ".trellis.precision",
                () -> Precision.of(text(own, place + ".trellis", "precision")));
        if (own.has(ProfileNodes.DIGITS)) {
            return new Profile.Entry(device, at(place, () -> new SolverResult(matrix,
                    new SolverSetting(precision, number(own, place + ".trellis", ProfileNodes.DIGITS),
                            number(own, place + ".trellis", "ranks"), flag(own, place + ".trellis", "updated")),
                    configuration, runtimes, prepare, invalidity, flag(own, place + ".trellis", "chosen"),
                    own.has(ProfileNodes.CALIBRATED) && flag(own, place + ".trellis", ProfileNodes.CALIBRATED),
                    timestamp)));
        }
        if (own.has("ranks")) {
            return new Profile.Entry(device, at(place, () -> new RingResult(matrix, precision,
                    ringSetting(own, place + ".trellis"), number(node.get("configuration"), place + ".configuration",
                            "rings"),
                    runtimes, timestamp)));
        }
        SpmvParameters parameters = at(place + ".configuration", () -> SpmvParameters.fromMap(configuration));
        return new Profile.Entry(device, at(place + ".times", () -> new TuningResult(matrix, precision, parameters,
                runtimes, prepare, invalidity, timestamp)));
    }

    private RingSetting ringSetting(ObjectNode own, String place) {
        return new RingSetting(number(own, place, "ranks"), text(own, place, "transport"),
                text(own, place, "partitioner"), text(own, place, "program"),
                own.has(ProfileNodes.LEVEL) ? number(own, place, ProfileNodes.LEVEL) : 0);
    }

    private FormSetting formSetting(ObjectNode own, String place) {
        return new FormSetting(text(own, place, "element"), number(own, place, "fields"),
                number(own, place, "factors"), number(own, place, "cells"),
                at(place + ".precision", () -> Precision.of(text(own, place, "precision"))), flag(own, place, "rows"),
                number(own, place, "products"));
    }

    private boolean flag(ObjectNode own, String place, String key) {
        JsonNode found = own.get(key);
        if (found == null || !found.isBoolean()) {
            throw problem(place + '.' + key, "is " + kind(found) + ", expected true or false", null);
        }
        return found.booleanValue();
    }

    private int number(JsonNode parent, String place, String key) {
        JsonNode found = parent.get(key);
        if (found == null || !found.isInt()) {
            throw problem(place + '.' + key, "is " + kind(found) + ", expected a whole number", null);
        }
        return found.intValue();
    }

    private LoopFingerprint loop(ObjectNode own, String place) {
        LoopFingerprint loop = at(place + ".loop", () -> new LoopFingerprint(text(own, place, "loop")));
        if (!loops.containsKey(loop)) {
            throw problem(place + ".loop", "is " + loop + ", expected one of trellis.loops", null);
        }
        return loop;
    }

    private Fingerprint matrix(ObjectNode own, String place) {
        Fingerprint matrix = at(place + ".matrix", () -> new Fingerprint(text(own, place, "matrix")));
        if (!matrices.containsKey(matrix)) {
            throw problem(place + ".matrix", "is " + matrix + ", expected one of trellis.matrices", null);
        }
        return matrix;
    }

    private double[] numbers(ArrayNode list, String place) {
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!list.get(i).isNumber()) {
                throw problem(place + '[' + i + ']', "is " + kind(list.get(i)) + ", expected a number", null);
            }
            numbers[i] = list.get(i).doubleValue();
        }
        return numbers;
    }
}
