/** Where matrices come from: files, folders, globs, generators and the catalogue, by what a user types. */
package org.trellis.bench.source;
