package org.trellis.bench.report;

import java.util.Objects;

/**
 * A column of a {@link Table}.
 *
 * @param heading what stands above it; may be empty
 * @param unit    of the numbers as they are shown, behind the heading; empty where each value has its own or none
 * @param format  how values read, which also says how they are aligned
 * @param key     the name of its values in JSON; empty if they are not there
 * @param meaning what it means, for pages; empty if that goes without saying
 * @param minor   whether narrow screens leave it out
 * @param medium  where people see it
 */
public record Column(String heading, String unit, Format format, String key, String meaning, boolean minor,
        Medium medium) {
    /** Where people see a column. */
    public enum Medium {
        /** On consoles and pages. */
        ALL,
        /** On consoles only. */
        CONSOLE,
        /** On pages only. */
        PAGE,
        /** Nowhere: it is in JSON only. */
        NONE
    }

    /** Checks that all parts are there. */
    public Column {
        Objects.requireNonNull(heading, "heading");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(medium, "medium");
    }

    /**
     * Makes a column that people see.
     *
     * @param heading what stands above it
     * @param format  how values read
     * @return the column, without unit, key and meaning
     */
    public static Column of(String heading, Format format) {
        return new Column(heading, "", format, "", "", false, Medium.ALL);
    }

    /**
     * Makes a column of words.
     *
     * @param heading what stands above it
     * @return the column, without key and meaning
     */
    public static Column words(String heading) {
        return of(heading, Format.WORDS);
    }

    /**
     * Makes a column that is in JSON only.
     *
     * @param key the name of its values
     * @return the column
     */
    public static Column data(String key) {
        return new Column("", "", Format.WORDS, key, "", false, Medium.NONE);
    }

    /**
     * Says in which unit numbers are shown.
     *
     * @param other the unit
     * @return the same column with it
     */
    public Column in(String other) {
        return new Column(heading, other, format, key, meaning, minor, medium);
    }

    /**
     * Puts the values into JSON, too.
     *
     * @param other their name there
     * @return the same column with it
     */
    public Column key(String other) {
        return new Column(heading, unit, format, other, meaning, minor, medium);
    }

    /**
     * Explains the column to readers of pages.
     *
     * @param other what it means
     * @return the same column with it
     */
    public Column means(String other) {
        return new Column(heading, unit, format, key, other, minor, medium);
    }

    /**
     * Lets narrow screens leave the column out.
     *
     * @return the same column, minor
     */
    public Column asMinor() {
        return new Column(heading, unit, format, key, meaning, true, medium);
    }

    /**
     * Shows the column in one medium only.
     *
     * @param other the medium
     * @return the same column there
     */
    public Column only(Medium other) {
        return new Column(heading, unit, format, key, meaning, minor, other);
    }

    /**
     * Returns heading and unit.
     *
     * @return what stands above the column
     */
    public String title() {
        return unit.isEmpty() ? heading : heading.isEmpty() ? unit : heading + ' ' + unit;
    }

    /**
     * Says whether people see the column in a medium.
     *
     * @param in console or page
     * @return false if they do not
     */
    public boolean isShown(Medium in) {
        return medium == Medium.ALL || medium == in;
    }
}
