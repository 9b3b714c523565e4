package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds one profile's tree to a copy of another's. */
final class ProfileMerge {
    private final ProfileNodes nodes;
    private final List<TuningDevice> devices;
    private final Map<Profile.Key, Integer> places;
    private final List<Profile.Entry> entries;

    ProfileMerge(ObjectNode root, List<TuningDevice> devices, Map<Profile.Key, Integer> places,
            List<Profile.Entry> entries) {
        this.nodes = ProfileNodes.copyOf(root);
        this.devices = new ArrayList<>(devices);
        this.places = new HashMap<>(places);
        this.entries = new ArrayList<>(entries);
    }

    Profile add(ObjectNode otherRoot, List<TuningDevice> otherDevices, List<Profile.Entry> otherEntries) {
        ObjectNode other = otherRoot.deepCopy();
        JsonNode otherExtension = other.get(ProfileFormat.EXTENSION);
        int[] numbers = new int[otherDevices.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = nodes.deviceNumber(devices, otherDevices.get(i));
            if (numbers[i] == devices.size()) {
                devices.add(otherDevices.get(i));
                // The other's node may hold more than is known here.
                nodes.setDevice(numbers[i], otherExtension.get("devices").get(i));
            }
        }
        for (JsonNode model : otherExtension.get("models")) {
            int number = numbers[model.get("device").intValue()];
            nodes.putModel(number, ((ObjectNode) model).put("device", number));
        }
        for (int i = 0; i < otherEntries.size(); i++) {
            addResult((ObjectNode) other.get("results").get(i), otherEntries.get(i).result(),
                    numbers[otherEntries.get(i).device()]);
        }
        nodes.addMembers(other);
        return new ProfileReader("merged profile", nodes.root()).read();
    }

    /** The later of two stays, and what was measured on the device rather than what was calibrated for it. */
    private void addResult(ObjectNode node, Measured result, int device) {
        ((ObjectNode) node.get(ProfileFormat.EXTENSION)).put("device", device);
        Profile.Entry entry = new Profile.Entry(device, result);
        if (result instanceof RingResult rings) {
            nodes.knowRings(rings.setting());
        } else if (result instanceof FormResult) {
            nodes.knowForms();
        } else if (result instanceof SolverResult solver) {
            nodes.knowSolvers(solver.calibrated());
        }
        int place = places.computeIfAbsent(entry.key(), key -> entries.size());
        if (place == entries.size()) {
            entries.add(entry);
            nodes.setResult(place, node);
        } else if (isBetter(result, entries.get(place).result())) {
            entries.set(place, entry);
            nodes.setResult(place, node);
        }
    }

    private static boolean isBetter(Measured result, Measured before) {
        return isCalibrated(result) == isCalibrated(before)
                ? !result.timestamp().isBefore(before.timestamp())
                : isCalibrated(before);
    }

    private static boolean isCalibrated(Measured result) {
        return result instanceof SolverResult solver && solver.calibrated();
    }
}
