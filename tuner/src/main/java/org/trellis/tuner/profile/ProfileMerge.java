package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds one profile's tree to another's. */
final class ProfileMerge {
    private final ObjectNode root;
    private final ObjectNode extension;
    private final List<TuningDevice> devices;
    private final Map<Profile.Key, Integer> places;
    private final List<Profile.Entry> entries;

    ProfileMerge(ObjectNode root, List<TuningDevice> devices, Map<Profile.Key, Integer> places,
            List<Profile.Entry> entries) {
        this.root = root.deepCopy();
        this.extension = (ObjectNode) this.root.get(ProfileFormat.EXTENSION);
        this.devices = new ArrayList<>(devices);
        this.places = new HashMap<>(places);
        this.entries = entries;
    }

    Profile add(ObjectNode otherRoot, List<TuningDevice> otherDevices, List<Profile.Entry> otherEntries) {
        ObjectNode other = otherRoot.deepCopy();
        ObjectNode otherExtension = (ObjectNode) other.get(ProfileFormat.EXTENSION);
        int[] numbers = new int[otherDevices.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = ProfileNodes.deviceNumber(extension, devices, otherDevices.get(i));
            if (numbers[i] == devices.size()) {
                devices.add(otherDevices.get(i));
                // The other's node may hold more than is known here.
                ((ArrayNode) extension.get("devices")).set(numbers[i], otherExtension.get("devices").get(i));
            }
        }
        addModels((ArrayNode) otherExtension.get("models"), numbers);
        addResults((ArrayNode) other.get("results"), otherEntries, numbers);
        addMembers((ObjectNode) extension.get("matrices"), (ObjectNode) otherExtension.get("matrices"));
        addMembers(extension, otherExtension);
        addMembers(root, other);
        extension.put("libraryVersion", LibraryVersion.text());
        return new ProfileReader("merged profile", root).read();
    }

    /** What is there stays. */
    private static void addMembers(ObjectNode target, ObjectNode source) {
        source.properties().forEach(member -> {
            if (!target.has(member.getKey())) {
                target.set(member.getKey(), member.getValue());
            }
        });
    }

    private void addModels(ArrayNode others, int[] numbers) {
        ArrayNode list = (ArrayNode) extension.get("models");
        for (JsonNode other : others) {
            int number = numbers[other.get("device").intValue()];
            for (int i = list.size() - 1; i >= 0; i--) {
                if (list.get(i).get("device").intValue() == number) {
                    list.remove(i);
                }
            }
            list.add(((ObjectNode) other).put("device", number));
        }
    }

    private void addResults(ArrayNode others, List<Profile.Entry> otherEntries, int[] numbers) {
        ArrayNode list = (ArrayNode) root.get("results");
        for (int i = 0; i < others.size(); i++) {
            Profile.Entry entry = otherEntries.get(i);
            int number = numbers[entry.device()];
            ObjectNode node = (ObjectNode) others.get(i);
            ((ObjectNode) node.get(ProfileFormat.EXTENSION)).put("device", number);
            Integer place = places.get(new Profile.Entry(number, entry.result()).key());
            if (place == null) {
                list.add(node);
            } else if (!entry.result().timestamp().isBefore(entries.get(place).result().timestamp())) {
                list.set(place, node);
            }
        }
    }
}
