//! Published scans in scenes. Run with `ASPERITY_DATA` set to the folder that has `data/height_maps`.

use std::path::{Path, PathBuf};

use asperity_verify::{Host, Inputs, Subject, groups, run};

struct Disk;

impl Host for Disk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|e| e.to_string())
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(folder).map_err(|e| e.to_string())?;
        Ok(entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
    }
}

#[test]
fn data_plates_slide_over_scans_as_far_as_their_texels_say() {
    let Some(root) = std::env::var_os("ASPERITY_DATA") else {
        eprintln!("skipped: ASPERITY_DATA is not set");
        return;
    };
    let inputs = Inputs { data: Some(PathBuf::from(root)), ..Inputs::default() };
    let all = groups(Subject::Appearance, &Disk, &inputs).unwrap();
    let wanted: Vec<_> = all.into_iter().filter(|g| g.0.contains("scanned")).collect();
    let tables = run(wanted, &mut |_| {}).unwrap();
    let checks = &tables[0].checks;
    for check in checks {
        eprintln!("{check:?}");
    }
    // Three scans: four ways and two controls of each.
    assert_eq!(checks.len(), 18);
    assert!(checks.iter().all(|check| check.holds));
}
