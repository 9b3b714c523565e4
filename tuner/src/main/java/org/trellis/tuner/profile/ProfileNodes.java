package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;

/** Writes the parts of a profile into its tree; fields that it does not know stay. */
final class ProfileNodes {
    private ProfileNodes() {}

    /** Returns the number of a device, which is added if it is new. */
    static int deviceNumber(ObjectNode extension, List<TuningDevice> known, TuningDevice device) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).matches(device)) {
                return i;
            }
        }
        ObjectNode node = ((ArrayNode) extension.get("devices")).addObject();
        node.put("backend", device.backend());
        node.put("name", device.name());
        device.properties().forEach(node.putObject("properties")::put);
        return extension.get("devices").size() - 1;
    }

    static void putMatrix(ObjectNode extension, Fingerprint fingerprint, String name, MatrixFeatures features) {
        ObjectNode matrices = (ObjectNode) extension.get("matrices");
        ObjectNode node = matrices.get(fingerprint.text()) instanceof ObjectNode found
                ? found
                : matrices.putObject(fingerprint.text());
        node.put("name", name);
        ObjectNode numbers = node.putObject("features");
        features.toMap().forEach((key, value) -> {
            switch (value) {
                case Integer number -> numbers.put(key, number);
                case Long number -> numbers.put(key, number);
                default -> numbers.put(key, value.doubleValue());
            }
        });
    }

    static void put(ObjectNode node, int device, TuningResult result) {
        node.put("timestamp", result.timestamp().toString());
        node.set("configuration", ConfigurationNodes.write(result.parameters()));
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
        own.put("matrix", result.matrix().text());
        own.put("precision", result.precision().label());
    }
}
