/// The version, in one place: `--version`, packages and documentation read it from here.
package let programVersion = "0.1.0"
