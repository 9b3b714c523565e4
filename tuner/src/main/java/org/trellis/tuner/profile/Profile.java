package org.trellis.tuner.profile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.BoundedInput;
import org.trellis.common.Precision;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.model.SpmvModel;

/**
 * What tuning has learnt: results of products by device, matrix, precision and parameters, results of parallel loops
 * by device, loop and parameters, results of rings of halos by device, matrix, precision and setting, results of
 * finite element systems by device, setting and choice, results of solvers by device, matrix, setting and choice, and
 * a model of products for each device. Immutable; changes
 * make new profiles. As a file it follows the T4 auto-tuning results schema, version 1.1, with one more object,
 * {@code trellis}, in the file and in each result; see {@code docs/reference/profiles.md}. What a file has beyond that
 * is kept.
 */
public final class Profile {
    /** The largest text of a profile: more than ten times what a long search of many matrices leaves. */
    static final long MOST_BYTES = 1L << 25;

    private final ObjectNode root;
    private final List<TuningDevice> devices;
    private final Subjects subjects;
    private final Map<Integer, SpmvModel> models;
    private final List<Entry> entries;
    private final boolean knowsSolvers;

    /**
     * A matrix that was measured.
     *
     * @param name     a name for people
     * @param features its features
     */
    public record Matrix(String name, MatrixFeatures features) {
        /** Checks that both are there. */
        public Matrix {
            Objects.requireNonNull(name);
            Objects.requireNonNull(features);
        }
    }

    /** A result with the number of its device. */
    record Entry(int device, Measured result) {
        Key key() {
            return new Key(device, result.subject());
        }
    }

    /** What there is one result of. */
    record Key(int device, Object subject) {}

    /** What results are of: structures, what is known of their values, and loops. */
    record Subjects(Map<Fingerprint, Matrix> matrices, Map<Fingerprint, SystemFeatures> systems,
            Map<LoopFingerprint, LoopFeatures> loops) {
        static final Subjects NONE = new Subjects(Map.of(), Map.of(), Map.of());

        /** Copies the maps in their order. */
        Subjects {
            matrices = Collections.unmodifiableMap(new LinkedHashMap<>(matrices));
            systems = Collections.unmodifiableMap(new LinkedHashMap<>(systems));
            loops = Collections.unmodifiableMap(new LinkedHashMap<>(loops));
        }

        private static <K, V> Map<K, V> with(Map<K, V> before, K key, V value) {
            Map<K, V> more = new LinkedHashMap<>(before);
            more.put(key, value);
            return more;
        }

        Subjects with(Fingerprint fingerprint, Matrix matrix) {
            return new Subjects(with(matrices, fingerprint, matrix), systems, loops);
        }

        Subjects with(Fingerprint fingerprint, SystemFeatures system) {
            return new Subjects(matrices, with(systems, fingerprint, system), loops);
        }

        Subjects with(LoopFingerprint fingerprint, LoopFeatures loop) {
            return new Subjects(matrices, systems, with(loops, fingerprint, loop));
        }
    }

    Profile(ObjectNode root, List<TuningDevice> devices, Subjects subjects, Map<Integer, SpmvModel> models,
            List<Entry> entries) {
        this.root = root;
        this.devices = List.copyOf(devices);
        this.subjects = subjects;
        this.models = Map.copyOf(models);
        this.entries = List.copyOf(entries);
        this.knowsSolvers = entries.stream().anyMatch(entry -> entry.result() instanceof SolverResult);
    }

    /**
     * Returns a profile without anything in it.
     *
     * @return the profile
     */
    public static Profile empty() {
        ObjectNode root = ProfileFormat.emptyObject();
        root.put("schema_version", ProfileFormat.SCHEMA_VERSION);
        root.putObject("metadata");
        root.putArray("results");
        ObjectNode extension = root.putObject(ProfileFormat.EXTENSION);
        extension.put("formatVersion", ProfileFormat.VERSION_WITHOUT_LOOPS);
        extension.put("libraryVersion", LibraryVersion.text());
        extension.putArray("devices");
        extension.putObject("matrices");
        extension.putArray("models");
        return new Profile(root, List.of(), Subjects.NONE, Map.of(), List.of());
    }

    /**
     * Reads a text, all of it or nothing.
     *
     * @param name its name, for messages
     * @param text the text
     * @return the profile
     * @throws ProfileException if it is no profile, of a newer version, damaged, or changed by hand
     */
    public static Profile parse(String name, String text) {
        return new ProfileReader(name, ProfileFormat.parse(name, text, true)).read();
    }

    /**
     * Reads a text that may have been changed by hand: all checks but the checksum's.
     *
     * @param name its name, for messages
     * @param text the text
     * @return the profile
     * @throws ProfileException if it is no profile, of a newer version or damaged
     */
    public static Profile parseUnsigned(String name, String text) {
        return new ProfileReader(name, ProfileFormat.parse(name, text, false)).read();
    }

    /**
     * Reads a file, all of it or nothing.
     *
     * @param file the file, which may be compressed by gzip
     * @return the profile
     * @throws ProfileException if it is no profile, of a newer version, damaged, or changed by hand
     * @throws IOException      if it cannot be read
     */
    public static Profile read(Path file) throws IOException {
        return parse(file.toString(), readText(file));
    }

    /** Reads a file, compressed or not, as UTF-8, which a damaged one need not be. */
    static String readText(Path file) throws IOException {
        BoundedInput.requireFile(file, "a tuning profile");
        if (Files.size(file) > MOST_BYTES) {
            throw new ProfileException(file + ": the file has " + Files.size(file) + " bytes; expected at most "
                    + MOST_BYTES);
        }
        try (InputStream input = Files.newInputStream(file)) {
            return text(file.toString(), input);
        }
    }

    /** Reads at most so many bytes that any profile fits in, whatever a compressed file expands to. */
    static String text(String name, InputStream contents) throws IOException {
        byte[] bytes;
        try (BoundedInput input = BoundedInput.of(contents, MOST_BYTES,
                (found, expected) -> new ProfileException(name + ": " + found + "; expected " + expected))) {
            bytes = input.readAllBytes();
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new ProfileException(name + ": damaged, this is no UTF-8 text; expected a tuning profile", e);
        }
    }

    /**
     * Returns the text of a file with this profile.
     *
     * @return JSON, signed
     */
    public String toText() {
        return ProfileFormat.text(root);
    }

    /**
     * Returns the devices.
     *
     * @return in the order in which they came
     */
    public List<TuningDevice> devices() {
        return devices;
    }

    /**
     * Returns the matrices.
     *
     * @return by fingerprint, in the order in which they came
     */
    public Map<Fingerprint, Matrix> matrices() {
        return subjects.matrices();
    }

    /**
     * Returns what is known of the values of matrices whose systems were solved.
     *
     * @return by the fingerprint of the structure, in the order in which they came
     */
    public Map<Fingerprint, SystemFeatures> systems() {
        return subjects.systems();
    }

    /**
     * Returns the parallel loops.
     *
     * @return by fingerprint, in the order in which they came
     */
    public Map<LoopFingerprint, LoopFeatures> loops() {
        return subjects.loops();
    }

    private <R extends Measured> List<R> results(TuningDevice device, Class<R> kind) {
        return entries.stream().filter(entry -> devices.get(entry.device).matches(device)).map(Entry::result)
                .filter(kind::isInstance).map(kind::cast).toList();
    }

    /**
     * Returns every product that was measured on a device.
     *
     * @param device one of {@link #devices()}, or one that matches it
     * @return the results in the order in which they came
     */
    public List<TuningResult> results(TuningDevice device) {
        return results(device, TuningResult.class);
    }

    /**
     * Returns every parallel loop that was measured on a device.
     *
     * @param device one of {@link #devices()}, or one that matches it
     * @return the results in the order in which they came
     */
    public List<LoopResult> loopResults(TuningDevice device) {
        return results(device, LoopResult.class);
    }

    /**
     * Returns what was measured on a device with a parallel loop.
     *
     * @param device the device
     * @param loop   the loop
     * @return the results in the order in which they came
     */
    public List<LoopResult> loopResults(TuningDevice device, LoopFingerprint loop) {
        return loopResults(device).stream().filter(result -> result.loop().equals(loop)).toList();
    }

    /**
     * Looks for the fastest that was measured on a device with a parallel loop.
     *
     * @param device the device
     * @param loop   the loop
     * @return the result of the smallest median time, if any was right
     */
    public Optional<LoopResult> bestOfLoop(TuningDevice device, LoopFingerprint loop) {
        return loopResults(device, loop).stream().filter(LoopResult::isCorrect)
                .min((a, b) -> Double.compare(a.medianSeconds(), b.medianSeconds()));
    }

    /**
     * Returns all that was measured on a device of rings of halos.
     *
     * @param device the device of each rank
     * @return the results in the order in which they came
     */
    public List<RingResult> ringResults(TuningDevice device) {
        return results(device, RingResult.class);
    }

    /**
     * Returns what was measured on a device of the rings of a matrix's halos.
     *
     * @param device    the device of each rank
     * @param matrix    the structure of the matrix
     * @param precision the type of its values
     * @param setting   the circumstances
     * @return the results in the order in which they came
     */
    public List<RingResult> ringResults(TuningDevice device, Fingerprint matrix, Precision precision,
            RingSetting setting) {
        return ringResults(device).stream().filter(result -> result.matrix().equals(matrix)
                && result.precision() == precision && result.setting().equals(setting)).toList();
    }

    /**
     * Returns all that was measured on a device of finite element systems.
     *
     * @param device the device
     * @return the results in the order in which they came
     */
    public List<FormResult> formResults(TuningDevice device) {
        return results(device, FormResult.class);
    }

    /**
     * Returns what was measured on a device of finite element systems of a kind.
     *
     * @param device  the device
     * @param setting the kind
     * @return the results in the order in which they came
     */
    public List<FormResult> formResults(TuningDevice device, FormSetting setting) {
        return formResults(device).stream().filter(result -> result.setting().equals(setting)).toList();
    }

    /**
     * Says whether solvers of any system were measured on any device. Costs nothing.
     *
     * @return true if there are {@linkplain #solverResults results}
     */
    public boolean knowsSolvers() {
        return knowsSolvers;
    }

    /**
     * Returns every solver of systems that was measured on a device.
     *
     * @param device the device
     * @return the results in the order in which they came
     */
    public List<SolverResult> solverResults(TuningDevice device) {
        return results(device, SolverResult.class);
    }

    /**
     * Returns what was measured on a device of solvers of the systems of a structure.
     *
     * @param device  the device
     * @param matrix  the structure
     * @param setting the circumstances
     * @return the results in the order in which they came
     */
    public List<SolverResult> solverResults(TuningDevice device, Fingerprint matrix, SolverSetting setting) {
        return solverResults(device).stream()
                .filter(result -> result.matrix().equals(matrix) && result.setting().equals(setting)).toList();
    }

    /**
     * Returns what was measured on a device with a matrix.
     *
     * @param device    the device
     * @param matrix    the structure of the matrix
     * @param precision the type of its values
     * @return the results in the order in which they came
     */
    public List<TuningResult> results(TuningDevice device, Fingerprint matrix, Precision precision) {
        return results(device).stream()
                .filter(result -> result.matrix().equals(matrix) && result.precision() == precision).toList();
    }

    /**
     * Looks for the fastest that was measured on a device with a matrix.
     *
     * @param device    the device
     * @param matrix    the structure of the matrix
     * @param precision the type of its values
     * @return the result of the smallest median time, if any was right
     */
    public Optional<TuningResult> best(TuningDevice device, Fingerprint matrix, Precision precision) {
        return results(device, matrix, precision).stream().filter(TuningResult::isCorrect)
                .min((a, b) -> Double.compare(a.medianSeconds(), b.medianSeconds()));
    }

    /**
     * Returns the model for a device.
     *
     * @param device the device
     * @return the model that was learnt from its results, if there is one
     */
    public Optional<SpmvModel> model(TuningDevice device) {
        return models.entrySet().stream().filter(model -> devices.get(model.getKey()).matches(device))
                .map(Map.Entry::getValue).findFirst();
    }

    /**
     * Returns a model of another device of the same backend, as a hint.
     *
     * @param device the device
     * @return a model of the backend, if there is one
     */
    public Optional<SpmvModel> hint(TuningDevice device) {
        return models.entrySet().stream()
                .filter(model -> devices.get(model.getKey()).backend().equals(device.backend()))
                .map(Map.Entry::getValue).findFirst();
    }

    /**
     * Adds results. One with the device, matrix, precision and parameters of an older one takes its place.
     *
     * @param device  what they were measured on
     * @param name    a name of the matrix for people
     * @param matrix  its features
     * @param results the results, all of one matrix
     * @return a profile with them
     */
    public Profile with(TuningDevice device, String name, MatrixFeatures matrix, List<TuningResult> results) {
        if (results.isEmpty()) {
            return this;
        }
        Fingerprint fingerprint = results.getFirst().matrix();
        ProfileNodes changed = ProfileNodes.copyOf(root);
        changed.putMatrix(fingerprint, name, matrix);
        return with(changed, device, results, subjects.with(fingerprint, new Matrix(name, matrix)));
    }

    /**
     * Adds what was measured of solvers of the systems of a structure. One with the device, structure, setting and
     * choice of an older one takes its place.
     *
     * @param device  what they were measured on
     * @param name    a name of the matrix for people
     * @param matrix  features of its structure
     * @param system  features of its values
     * @param results the results, all of one structure
     * @return a profile with them
     */
    public Profile withSolvers(TuningDevice device, String name, MatrixFeatures matrix, SystemFeatures system,
            List<SolverResult> results) {
        if (results.isEmpty()) {
            return this;
        }
        Fingerprint fingerprint = results.getFirst().matrix();
        ProfileNodes changed = ProfileNodes.copyOf(root);
        changed.putMatrix(fingerprint, name, matrix);
        changed.putSystem(fingerprint, system);
        changed.knowSolvers(results.stream().anyMatch(SolverResult::calibrated));
        return with(changed, device, results,
                subjects.with(fingerprint, new Matrix(name, matrix)).with(fingerprint, system));
    }

    /**
     * Adds what was measured of the rings of a matrix's halos. One with the device, matrix, precision, setting and
     * number of rings of an older one takes its place.
     *
     * @param device  what each rank was measured on
     * @param name    a name of the matrix for people
     * @param matrix  its features
     * @param results the results, all of one matrix
     * @return a profile with them
     */
    public Profile withRings(TuningDevice device, String name, MatrixFeatures matrix, List<RingResult> results) {
        if (results.isEmpty()) {
            return this;
        }
        Fingerprint fingerprint = results.getFirst().matrix();
        ProfileNodes changed = ProfileNodes.copyOf(root);
        changed.putMatrix(fingerprint, name, matrix);
        results.forEach(result -> changed.knowRings(result.setting()));
        return with(changed, device, results, subjects.with(fingerprint, new Matrix(name, matrix)));
    }

    /**
     * Adds results of finite element systems. One with the device, setting and choice of an older one takes its place.
     *
     * @param device  what they were measured on
     * @param results the results
     * @return a profile with them
     */
    public Profile withForms(TuningDevice device, List<FormResult> results) {
        if (results.isEmpty()) {
            return this;
        }
        ProfileNodes changed = ProfileNodes.copyOf(root);
        changed.knowForms();
        return with(changed, device, results, subjects);
    }

    /**
     * Adds results of a parallel loop. One with the device, loop and parameters of an older one takes its place.
     *
     * @param device  what they were measured on
     * @param loop    the loop's features
     * @param results the results, all of one loop
     * @return a profile with them
     */
    public Profile with(TuningDevice device, LoopFeatures loop, List<LoopResult> results) {
        if (results.isEmpty()) {
            return this;
        }
        LoopFingerprint fingerprint = results.getFirst().loop();
        ProfileNodes changed = ProfileNodes.copyOf(root);
        changed.putLoop(fingerprint, loop);
        return with(changed, device, results, subjects.with(fingerprint, loop));
    }

    private Profile with(ProfileNodes changed, TuningDevice device, List<? extends Measured> results,
            Subjects newSubjects) {
        int number = changed.deviceNumber(devices, device);
        Map<Key, Integer> places = places();
        List<Entry> newEntries = new ArrayList<>(entries);
        for (Measured result : results) {
            Entry entry = new Entry(number, result);
            int place = places.computeIfAbsent(entry.key(), key -> newEntries.size());
            changed.put(place, number, result);
            if (place < newEntries.size()) {
                newEntries.set(place, entry);
            } else {
                newEntries.add(entry);
            }
        }
        List<TuningDevice> newDevices = new ArrayList<>(devices);
        if (number == devices.size()) {
            newDevices.add(device);
        }
        return new Profile(changed.root(), newDevices, newSubjects, models, newEntries);
    }

    private Map<Key, Integer> places() {
        Map<Key, Integer> places = new HashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            places.put(entries.get(i).key(), i);
        }
        return places;
    }

    /**
     * Sets the features of matrices, which another version may have found fewer of. Names, results and models stay.
     *
     * @param features features by structure; structures that this profile does not have are ignored
     * @return a profile with them
     */
    public Profile withFeatures(Map<Fingerprint, MatrixFeatures> features) {
        ProfileNodes changed = ProfileNodes.copyOf(root);
        Map<Fingerprint, Matrix> newMatrices = new LinkedHashMap<>(matrices());
        newMatrices.replaceAll((fingerprint, matrix) -> {
            MatrixFeatures found = features.get(fingerprint);
            if (found == null) {
                return matrix;
            }
            changed.putMatrix(fingerprint, matrix.name(), found);
            return new Matrix(matrix.name(), found);
        });
        return new Profile(changed.root(), devices, new Subjects(newMatrices, systems(), loops()), models, entries);
    }

    /**
     * Sets the model of a device.
     *
     * @param device the device
     * @param model  its model, in place of an older one
     * @param facts  what is known of the model, for people: names and texts
     * @return a profile with it
     */
    public Profile with(TuningDevice device, SpmvModel model, Map<String, String> facts) {
        ProfileNodes changed = ProfileNodes.copyOf(root);
        int number = changed.deviceNumber(devices, device);
        ObjectNode node = ModelNodes.write(model, number);
        facts.forEach(node.putObject("facts")::put);
        changed.putModel(number, node);
        return new ProfileReader("profile", changed.root()).read();
    }

    /**
     * Leaves only the best results of each device, matrix and precision, and of each device and loop, for profiles that
     * travel.
     *
     * @param count how many of each, at least 1
     * @return a smaller profile with the same models
     */
    public Profile best(int count) {
        Map<Object, List<Entry>> groups = new LinkedHashMap<>();
        for (Entry entry : entries) {
            groups.computeIfAbsent(List.of(entry.device, entry.result.group()), key -> new ArrayList<>()).add(entry);
        }
        List<Entry> kept = new ArrayList<>();
        groups.values().forEach(group -> group.stream().filter(entry -> entry.result.isCorrect())
                .sorted((a, b) -> Double.compare(a.result.medianSeconds(), b.result.medianSeconds()))
                .limit(count).forEach(kept::add));
        Map<Key, Integer> places = places();
        ObjectNode copy = root.deepCopy();
        ArrayNode list = (ArrayNode) copy.get("results");
        List<JsonNode> nodes = kept.stream().map(entry -> list.get(places.get(entry.key()))).toList();
        copy.putArray("results").addAll(nodes);
        return new ProfileReader("profile", copy).read();
    }

    /**
     * Joins two profiles. Of two results of one device, matrix and precision or loop, and parameters, the later one is
     * kept; of two models of one device the other's.
     *
     * @param other another profile
     * @return a profile with everything
     */
    public Profile merge(Profile other) {
        return new ProfileMerge(root, devices, places(), entries).add(other.root, other.devices, other.entries);
    }

    @Override
    public String toString() {
        return "profile of " + entries.size() + " results on " + matrices().size() + " matrices and "
                + (loops().isEmpty() ? "" : loops().size() + " loops and ") + devices.size() + " devices with "
                + models.size() + " models";
    }
}
