package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;

/**
 * Writes the parts of a profile into a copy of its tree; fields that it does not know stay. Only what changes is
 * copied: the rest belongs to both trees, neither of which is changed later.
 */
final class ProfileNodes {
    private static final String LOOPS = "loops";
    static final String LEVEL = "level";
    /** Results of solvers have it, and no others. */
    static final String DIGITS = "digits";
    /** Results of solvers have it whose times another machine measured. */
    static final String CALIBRATED = "calibrated";
    /** What is known of the values of a matrix. */
    static final String SYSTEM = "system";

    private final ObjectNode root;
    private final ObjectNode extension;
    private final ArrayNode results;
    private final ArrayNode devices;
    private final ObjectNode matrices;
    private final ObjectNode loops;
    private final ArrayNode models;

    private ProfileNodes(ObjectNode from) {
        this.root = shallow(from);
        this.extension = shallow((ObjectNode) from.get(ProfileFormat.EXTENSION));
        this.results = shallow((ArrayNode) from.get("results"));
        this.devices = shallow((ArrayNode) extension.get("devices"));
        this.matrices = shallow((ObjectNode) extension.get("matrices"));
        this.loops = extension.get(LOOPS) instanceof ObjectNode found ? shallow(found) : ProfileFormat.emptyObject();
        this.models = shallow((ArrayNode) extension.get("models"));
        root.set(ProfileFormat.EXTENSION, extension);
        root.set("results", results);
        extension.set("devices", devices);
        extension.set("matrices", matrices);
        if (extension.has(LOOPS)) {
            extension.set(LOOPS, loops);
        }
        extension.set("models", models);
        extension.put("libraryVersion", LibraryVersion.text());
    }

    static ProfileNodes copyOf(ObjectNode root) {
        return new ProfileNodes(root);
    }

    private static ObjectNode shallow(ObjectNode node) {
        ObjectNode copy = ProfileFormat.emptyObject();
        copy.setAll(node);
        return copy;
    }

    private static ArrayNode shallow(ArrayNode list) {
        ArrayNode copy = ProfileFormat.emptyList();
        copy.addAll(list);
        return copy;
    }

    ObjectNode root() {
        return root;
    }

    /** Returns the number of a device, which is added if it is new. */
    int deviceNumber(List<TuningDevice> known, TuningDevice device) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).matches(device)) {
                return i;
            }
        }
        ObjectNode node = devices.addObject();
        node.put("backend", device.backend());
        node.put("name", device.name());
        device.properties().forEach(node.putObject("properties")::put);
        return devices.size() - 1;
    }

    /** Puts a device's own node in the place of one that was made. */
    void setDevice(int number, JsonNode node) {
        devices.set(number, node);
    }

    void putMatrix(Fingerprint fingerprint, String name, MatrixFeatures features) {
        ObjectNode node = matrices.get(fingerprint.text()) instanceof ObjectNode found
                ? shallow(found)
                : ProfileFormat.emptyObject();
        matrices.set(fingerprint.text(), node);
        node.put("name", name);
        ObjectNode numbers = node.putObject("features");
        putNumbers(numbers, features.toMap());
    }

    private static void putNumbers(ObjectNode node, Map<String, Number> numbers) {
        numbers.forEach((key, value) -> {
            switch (value) {
                case Integer number -> node.put(key, number);
                case Long number -> node.put(key, number);
                default -> node.put(key, value.doubleValue());
            }
        });
    }

    /** A file has this object, and the version that goes with it, only if there are loops. */
    private ObjectNode loops() {
        extension.set(LOOPS, loops);
        raiseVersion(ProfileFormat.VERSION_WITHOUT_RINGS);
        return loops;
    }

    /** A file has the lowest version that knows what is in it. */
    private void raiseVersion(int needed) {
        extension.put("formatVersion", Math.max(needed, extension.get("formatVersion").intValue()));
    }

    void putLoop(LoopFingerprint fingerprint, LoopFeatures features) {
        ObjectNode node = loops.get(fingerprint.text()) instanceof ObjectNode found
                ? shallow(found)
                : ProfileFormat.emptyObject();
        loops().set(fingerprint.text(), node);
        node.put("kernel", features.kernel());
        node.put("set", features.set());
        features.sizes().forEach(node.putObject("sizes")::put);
        node.put("precision", features.precision().label());
        features.arguments().forEach(node.putArray("arguments")::add);
        node.put("order", features.order());
    }

    /** Puts a result in a place, which may be the one behind the last. */
    void put(int place, int device, Measured result) {
        ObjectNode node = place < results.size() ? results.get(place).deepCopy() : ProfileFormat.emptyObject();
        fill(node, device, result);
        setResult(place, node);
    }

    /** Says that there are rings among the results; older versions take levels for each other. */
    void knowRings(RingSetting setting) {
        raiseVersion(
                setting.level() == 0 ? ProfileFormat.VERSION_WITHOUT_FORMS : ProfileFormat.VERSION_WITHOUT_SOLVERS);
    }

    /** Says that there are systems of finite elements among the results. */
    void knowForms() {
        raiseVersion(ProfileFormat.VERSION_WITHOUT_LEVELS);
    }

    /** Says that there are solvers of systems among the results; older versions take all times for measured. */
    void knowSolvers(boolean calibrated) {
        raiseVersion(calibrated ? ProfileFormat.FORMAT_VERSION : ProfileFormat.VERSION_WITHOUT_CALIBRATION);
    }

    /** Puts features of the values of a matrix beside those of its structure. */
    void putSystem(Fingerprint fingerprint, SystemFeatures features) {
        ObjectNode node = shallow((ObjectNode) matrices.get(fingerprint.text()));
        matrices.set(fingerprint.text(), node);
        putNumbers(node.putObject(SYSTEM), features.toMap());
    }

    void setResult(int place, JsonNode node) {
        if (place < results.size()) {
            results.set(place, node);
        } else {
            results.add(node);
        }
    }

    /** Puts a model in the place of an older one of its device. */
    void putModel(int device, JsonNode node) {
        for (int i = models.size() - 1; i >= 0; i--) {
            if (models.get(i).path("device").asInt(-1) == device) {
                models.remove(i);
            }
        }
        models.add(node);
    }

    /** Adds what another file has beyond what is known; what is there stays. */
    void addMembers(ObjectNode otherRoot) {
        ObjectNode otherExtension = (ObjectNode) otherRoot.get(ProfileFormat.EXTENSION);
        addMembers(matrices, (ObjectNode) otherExtension.get("matrices"));
        if (otherExtension.get(LOOPS) instanceof ObjectNode others && !others.isEmpty()) {
            addMembers(loops(), others);
        }
        addMembers(extension, otherExtension);
        addMembers(root, otherRoot);
    }

    private static void addMembers(ObjectNode target, ObjectNode source) {
        source.properties().forEach(member -> {
            if (!target.has(member.getKey())) {
                target.set(member.getKey(), member.getValue());
            }
        });
    }

    private static void fill(ObjectNode node, int device, Measured result) {
        node.put("timestamp", result.timestamp().toString());
        node.set("configuration", switch (result) {
            case TuningResult product -> ConfigurationNodes.write(product.parameters());
            case LoopResult loop -> ConfigurationNodes.write(loop.parameters());
            case RingResult rings -> ProfileFormat.emptyObject().put("rings", rings.rings());
            case FormResult form -> ConfigurationNodes.write(form.configuration());
            case SolverResult solver -> ConfigurationNodes.write(solver.configuration());
        });
        node.putArray("objectives").add("time");
        ObjectNode times = node.get("times") instanceof ObjectNode found ? found : node.putObject("times");
        times.put("compilation_time", result.prepareSeconds());
        ArrayNode runtimes = times.putArray("runtimes");
        for (double seconds : result.runtimes()) {
            runtimes.add(seconds);
        }
        node.put("invalidity", result.invalidity().label());
        node.put("correctness", result.isCorrect() ? 1 : 0);
        ArrayNode measurements = node.putArray("measurements");
        if (result.isCorrect()) {
            measurements.addObject().put("name", "time").put("value", result.medianSeconds()).put("unit", "seconds");
        }
        ObjectNode own = node.get(ProfileFormat.EXTENSION) instanceof ObjectNode found
                ? found
                : node.putObject(ProfileFormat.EXTENSION);
        own.put("device", device);
        switch (result) {
            case TuningResult product -> own.put("matrix", product.matrix().text()).put("precision",
                    product.precision().label());
            case LoopResult loop -> own.put("loop", loop.loop().text());
            case RingResult rings -> {
                own.put("matrix", rings.matrix().text()).put("precision", rings.precision().label())
                        .put("ranks", rings.setting().ranks())
                        .put("transport", rings.setting().transport())
                        .put("partitioner", rings.setting().partitioner())
                        .put("program", rings.setting().program());
                if (rings.setting().level() > 0) {
                    own.put(LEVEL, rings.setting().level());
                }
            }
            case FormResult form -> own.put("element", form.setting().element())
                    .put("fields", form.setting().fields())
                    .put("factors", form.setting().factors())
                    .put("cells", form.setting().cells())
                    .put("precision", form.setting().precision().label())
                    .put("rows", form.setting().rows())
                    .put("products", form.setting().products());
            case SolverResult solver -> {
                own.put("matrix", solver.matrix().text()).put("precision", solver.setting().precision().label())
                        .put(DIGITS, solver.setting().digits())
                        .put("ranks", solver.setting().ranks())
                        .put("updated", solver.setting().updated())
                        .put("chosen", solver.chosen());
                own.remove(CALIBRATED);
                if (solver.calibrated()) {
                    own.put(CALIBRATED, true);
                }
            }
        }
    }
}
