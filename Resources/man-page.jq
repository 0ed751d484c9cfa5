# Makes the manual page of one command from what `vitrail --experimental-dump-help` prints.
# Arguments: --arg command 'wall convert' (or '' for the program), --arg version 0.1.0, --arg date 2026-12-31.

# Text for roff: backslashes and hyphens are themselves, and no line is taken for a request.
def roff: gsub("\\\\"; "\\e") | gsub("-"; "\\-") | gsub("(?m)^(?<first>[.'])"; "\\&\(.first)");
def dashed: if .kind == "long" then "--\(.name)" else "-\(.name)" end | roff | "\\fB\(.)\\fR";
def value: "\\fI\(.valueName | roff)\\fR";
def described:
    (.abstract // "" | roff)
    + (if .allValues and (.kind == "option") then "\nOne of: \(.allValues | map(roff) | join(", "))." else "" end)
    + (if .defaultValue then "\nDefault: \(.defaultValue | roff)." else "" end);
def entry:
    ".TP\n"
    + (if .kind == "positional" then value
       else ([.names[] | dashed] | join(", ")) + (if .kind == "option" then " " + value else "" end) end)
    + "\n" + described;
def section($title): if length > 0 then [".SH " + $title] + map(entry) else [] end | .[];

.command
| reduce ($command | split(" ") | .[]) as $name (.; .subcommands[] | select(.commandName == $name))
| ([.superCommands // [] | .[]] + [.commandName]) as $path
| [.arguments[] | select(.shouldDisplay)] as $arguments
| [$arguments[] | select(.kind == "positional")] as $positional
| [$arguments[] | select(.kind != "positional")] as $options
| [.subcommands // [] | .[] | select(.commandName != "help")] as $subcommands
# The program without a command takes what its default command does.
| (.defaultSubcommand as $default
   | if $default then [.subcommands[] | select(.commandName == $default) | .arguments[] | select(.kind == "positional")]
     else $positional end) as $taken
| ($path | join("-")) as $page
| ".TH \($page | ascii_upcase | roff) 1 \($date) \"Vitrail \($version)\" \"User Commands\"",
  ".SH NAME", "\($page | roff) \\- \(.abstract | rtrimstr(".") | roff)",
  ".SH SYNOPSIS",
  ".B \($path | map(roff) | join(" "))",
  "[\\fIoptions\\fR]"
  + ([$taken[] | " " + (if .isOptional then "[" + value + (if .isRepeating then " ..." else "" end) + "]" else value end)] | join(""))
  + ([$options[] | select(.isOptional | not) | " " + (.preferredName | dashed) + " " + value] | join("")),
  (if ($subcommands | length) > 0 then ".br", ".B \($path | map(roff) | join(" "))", "\\fIcommand\\fR ..." else empty end),
  ".SH DESCRIPTION",
  (if .discussion then ".nf", (.discussion | roff), ".fi" else (.abstract | roff) end),
  (if ($subcommands | length) > 0 then ".SH COMMANDS" else empty end),
  ($subcommands[]
   | ".TP\n.BR \($page + "-" + .commandName | roff) (1)\n\(.abstract | roff)"),
  ($positional | section("ARGUMENTS")),
  ([$options[] | select(.sectionTitle | not)] | section("OPTIONS")),
  ([$options[] | select(.sectionTitle)] | group_by(.sectionTitle)[] | section(.[0].sectionTitle | ascii_upcase | roff)),
  ".SH SEE ALSO",
  (if $command == "" then "All options: \\fB\(.defaultSubcommand as $d | $path + [$d] | join("-") | roff)\\fR(1)."
   else ".BR \($path[0] | roff) (1)" end)
