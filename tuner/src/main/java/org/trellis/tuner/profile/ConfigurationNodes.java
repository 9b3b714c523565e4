package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.sparse.SpmvParameters;

/** Parameters as objects of a file. */
final class ConfigurationNodes {
    private ConfigurationNodes() {}

    static ObjectNode write(SpmvParameters parameters) {
        return write(parameters.toMap());
    }

    static ObjectNode write(LoopParameters parameters) {
        return write(parameters.toMap());
    }

    static ObjectNode write(Map<String, Object> parameters) {
        ObjectNode node = ProfileFormat.emptyObject();
        parameters.forEach((key, value) -> {
            switch (value) {
                case Integer number -> node.put(key, number);
                case Boolean flag -> node.put(key, flag);
                default -> node.put(key, value.toString());
            }
        });
        return node;
    }

    /** Names and values for {@code fromMap} of the parameters, which complains about what it does not take. */
    static Map<String, Object> read(ObjectNode node) {
        Map<String, Object> map = new LinkedHashMap<>();
        node.properties().forEach(member -> map.put(member.getKey(), value(member.getValue())));
        return map;
    }

    private static Object value(JsonNode node) {
        if (node.isInt()) {
            return node.intValue();
        }
        return node.isBoolean() ? (Object) node.booleanValue() : node.asText();
    }
}
