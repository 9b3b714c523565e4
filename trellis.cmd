@echo off
rem Runs the Trellis command line on Windows, from a clone (which it builds once) or from a distribution (bin\trellis.cmd
rem beside ..\lib). It does what "trellis" does elsewhere, without Intel MKL, JMH, the shell and the faster start.
rem Untried: written where there was no Windows.
rem
rem   TRELLIS_JAVA   the java.exe to use (25 or newer), instead of looking for one
rem   TRELLIS_OPTS   further options of the JVM, separated by blanks
setlocal EnableExtensions DisableDelayedExpansion
set "HERE=%~dp0"

rem --- Java -------------------------------------------------------------------------------------------------------

set "JAVA="
if defined TRELLIS_JAVA (
    set "JAVA=%TRELLIS_JAVA%"
    goto java_named
)
call :try_java "%HERE%..\runtime\bin\java.exe"
if defined JAVA_HOME call :try_java "%JAVA_HOME%\bin\java.exe"
for %%J in (java.exe) do call :try_java "%%~$PATH:J"
for %%F in ("%ProgramFiles%\Java" "%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu" "%ProgramFiles%\Amazon Corretto") do (
    for /d %%D in ("%%~F\*") do call :try_java "%%~D\bin\java.exe"
)
if defined JAVA goto java_found
echo trellis: found no Java 25 or newer. Install a JDK 25, or name one: set TRELLIS_JAVA=C:\path\to\bin\java.exe 1>&2
exit /b 1

:java_named
call :major_version "%JAVA%"
if %MAJOR% LSS 25 (
    echo trellis: TRELLIS_JAVA names "%JAVA%", Java %MAJOR%, and Trellis needs Java 25 or newer. 1>&2
    exit /b 1
)

:java_found

rem --- What the arguments need -------------------------------------------------------------------------------------

set "ADAPTERS="
set "EXAMPLES="
for %%A in (%*) do (
    if "%%~A"=="--peer" set "ADAPTERS=yes"
    if "%%~A"=="example" set "EXAMPLES=yes"
    if "%%~A"=="tune-loops" set "EXAMPLES=yes"
    if "%%~A"=="sweep-loops" set "EXAMPLES=yes"
)

rem --- The class path ----------------------------------------------------------------------------------------------

if exist "%HERE%bench\harness\pom.xml" goto clone
if exist "%HERE%..\lib" goto distribution
echo trellis: %HERE% is neither a clone of Trellis nor the bin folder of a distribution. 1>&2
exit /b 1

:distribution
set "CLASSES=%HERE%..\lib\*"
if defined ADAPTERS set "CLASSES=%CLASSES%;%HERE%..\lib\adapters\*"
if defined EXAMPLES set "CLASSES=%CLASSES%;%HERE%..\lib\examples\*"
goto start

:clone
call :build bench\harness
if errorlevel 1 exit /b 1
set "CLASSES=%HERE%bench\harness\target\trellis-bench.jar;%HERE%bench\harness\target\lib\*"
if defined EXAMPLES (
    call :build examples
    if errorlevel 1 exit /b 1
    set "CLASSES=%HERE%examples\target\classes;%HERE%examples\target\lib\*"
)
if not defined ADAPTERS goto start
call :build bench\adapters
if errorlevel 1 exit /b 1
set "CLASSES=%CLASSES%;%HERE%bench\adapters\target\trellis-bench-adapters.jar;%HERE%bench\adapters\target\lib\*"

:start
rem The JVM takes one collector; TRELLIS_OPTS may name another one.
set "COLLECTOR=-XX:+UseParallelGC"
if defined TRELLIS_OPTS echo %TRELLIS_OPTS%| findstr /R /C:"-XX:+Use[A-Za-z0-9]*GC" >nul && set "COLLECTOR="
"%JAVA%" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED %COLLECTOR% ^
    -XX:MaxRAMPercentage=70 %TRELLIS_OPTS% -cp "%CLASSES%" org.trellis.bench.Main %*
exit /b %ERRORLEVEL%

rem --- Parts -------------------------------------------------------------------------------------------------------

rem Builds the module %1 unless that was done. It does not look for newer sources: after a change, delete
rem %1\target\launcher.built.
:build
if exist "%HERE%%~1\target\launcher.built" exit /b 0
set "MODULE=%~1"
echo Building Trellis (%MODULE%), once 1>&2
pushd "%HERE%"
call mvn -B -ntp -T 1C -Pquick -pl "%MODULE:\=/%" -am -Dmaven.test.skip=true package 1>&2
set "CODE=%ERRORLEVEL%"
popd
if not "%CODE%"=="0" exit /b 1
type nul > "%HERE%%~1\target\launcher.built"
exit /b 0

rem Sets JAVA to %1 if it is there, new enough and the first of its kind.
:try_java
if defined JAVA exit /b 0
if not exist "%~1" exit /b 0
call :major_version "%~1"
if %MAJOR% GEQ 25 set "JAVA=%~1"
exit /b 0

rem Sets MAJOR to the major version of the java %1, 0 if it does not say one.
:major_version
set "MAJOR=0"
for /f "tokens=3" %%V in ('""%~1" -version 2^>^&1 ^| findstr /c:" version ""') do (
    for /f "delims=.-+" %%M in ("%%~V") do set "MAJOR=%%M"
)
exit /b 0
